/** The words of the language that is chosen now. */

import { prefs } from "../../state/prefs.svelte";
import { en } from "./en";
import { es } from "./es";
import type { ProofWords } from "./words";

const LANGUAGES: Readonly<Record<"es" | "en", ProofWords>> = { es, en };

export const proofWords = (): ProofWords => LANGUAGES[prefs.language];
