import "@fontsource-variable/figtree/wght.css";
import "./look/tokens.css";
import "./look/table.css";
import "./look/screens.css";
import "./look/chart.css";
import { mount } from "svelte";
import App from "./App.svelte";

mount(App, { target: document.body });
