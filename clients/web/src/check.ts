/** The check of a round as a page of its own: one file that can be saved, and opened without a node. */

import "@fontsource-variable/figtree/wght.css";
import "./look/tokens.css";
import "./look/table.css";
import "./look/screens.css";
import { mount } from "svelte";
import Checker from "./proof/page/Checker.svelte";

mount(Checker, { target: document.body });
