import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What the node serves: `deploy/web.py` runs this, and compresses what comes out. */
export default defineConfig({
  plugins: [svelte()],
  resolve: {
    alias: { $tapete: at("../../protocol/ts/tapete.ts"), $src: at("src") },
    conditions: process.env.VITEST ? ["browser"] : undefined,
  },
  build: {
    outDir: at("../../server/tapete_server/web"),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { "/ws": { target: "ws://127.0.0.1:8080", ws: true }, "/api": "http://127.0.0.1:8080" } },
  test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 60_000 },
} as Parameters<typeof defineConfig>[0]);
