import type { Plugin } from "vite";
import { defineConfig, mergeConfig } from "vite";
import page from "./vite.config.ts";

/** All in the page itself: a browser opens a saved file, and no other file beside it. */
function inOneFile(): Plugin {
  return {
    name: "in-one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const html = bundle["check.html"];
      if (html?.type !== "asset") throw new Error("there is no check.html");
      let text = String(html.source);
      for (const [name, file] of Object.entries(bundle)) {
        if (file === html) continue;
        const code = file.type === "chunk" ? file.code.replaceAll("</script", "<\\/script") : String(file.source);
        const tag = file.type === "chunk" ? /\s*<script\b[^>]*\bsrc="[^"]*"[^>]*><\/script>/ : /\s*<link\b[^>]*\brel="stylesheet"[^>]*>/;
        if (!tag.test(text)) throw new Error(`${name} has no tag in the page`);
        text = text.replace(tag, "");
        const put = file.type === "chunk" ? `<script type="module">${code}</script>\n  </body>` : `<style>${code}</style>\n  </head>`;
        text = text.replace(file.type === "chunk" ? "</body>" : "</head>", () => put);
        delete bundle[name];
      }
      html.source = text;
    },
  };
}

/** `check.html`, which stands beside the page: `deploy/web.py` runs this after the other. */
export default mergeConfig(
  page,
  defineConfig({
    plugins: [inOneFile()],
    publicDir: false,
    build: { emptyOutDir: false, assetsInlineLimit: 1_000_000, cssCodeSplit: false, rolldownOptions: { input: "check.html", output: { codeSplitting: false } } },
  }),
);
