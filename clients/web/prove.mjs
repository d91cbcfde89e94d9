#!/usr/bin/env node
/** Checks records of rounds from files: `node clients/web/prove.mjs [--json] FILE…`, the very code of the page `Check this round`. */

import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const { module } = await runnerImport(at("src/proof/command.ts"), { configFile: false, root: at("."), logLevel: "error" });
process.exitCode = module.run(process.argv.slice(2), console.log);
