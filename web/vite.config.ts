import { defineConfig } from "vite";
import { lengths } from "./plugins/lengths.ts";
import { serviceWorker } from "./plugins/service-worker.ts";
import { wllama } from "./plugins/wllama.ts";

export default defineConfig({
  // Every address is relative, so that the site works under any path of any host.
  base: "./",
  publicDir: false,
  plugins: [wllama(), lengths(), serviceWorker()],
  resolve: {
    alias: [
      // transformers.js asks for the WebGPU build, whose wasm file is twice as large (asyncify). One question is
      // embedded faster on the plain wasm backend, so that is the only one built in.
      { find: /^onnxruntime-web\/webgpu$/, replacement: "onnxruntime-web/wasm" },
    ],
  },
  build: {
    outDir: "../build/openbook/pages/client",
    emptyOutDir: true,
    manifest: true,
    target: "es2022",
    // Nothing is inlined as a data: address: each file then has a name, a size and a hash of its own.
    assetsInlineLimit: 0,
    modulePreload: false,
    sourcemap: false,
    reportCompressedSize: true,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: { page: "src/main.ts", openbook: "src/openbook.ts", frame: "src/frame.ts" },
      output: {
        // The one file that pages of other sites name; it imports the others by their hashes.
        entryFileNames: ({ name }) => (name === "openbook" ? "openbook.js" : "assets/[name]-[hash].js"),
      },
    },
  },
  worker: { format: "es" },
});
