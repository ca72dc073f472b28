import react from "@vitejs/plugin-react";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { deskBudget } from "./build/deskBudget.ts";
import { deskChunks } from "./build/deskChunks.ts";
import { deskInDevelopment } from "./build/deskInDevelopment.ts";
import { precompress } from "./build/precompress.ts";

/** Where `npm run dev` finds the Django server; the browser's own host stays, for Django compares it with the origin. */
const server = { target: process.env.LANTERN_SERVER ?? "http://127.0.0.1:8000", changeOrigin: false };

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [react(), deskInDevelopment(), deskBudget(), precompress()],
  resolve: { alias: { "@": here("./src") } },
  server: {
    port: 5173,
    // The guides of the help pages are beside the front end, in docs/.
    fs: { allow: [here("."), here("../docs")] },
    proxy: { "/api": server, "/_allauth": server, "/media": server },
  },
  build: {
    outDir: "dist",
    target: "es2022",
    chunkSizeWarningLimit: 900,
    modulePreload: { polyfill: false },
    // The server looks up there what it preloads.
    manifest: true,
    rolldownOptions: {
      input: { index: here("./index.html"), desk: here("./desk.html") },
      output: { codeSplitting: { groups: deskChunks(here("./src/desk.tsx")) } },
    },
  },
  test: {
    css: false,
    pool: "threads",
    // Waiting ends with what is waited for; the limits are for a machine that does other work besides.
    testTimeout: 30_000,
    // Vitest leaves one processor free, which is half of a machine with two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A page costs half a second a file, so only component tests get one; a .test.ts that needs it says so itself.
    // Files share their modules: reading those anew for each file takes longer than all tests together.
    projects: [
      { extends: true, test: { name: "plain", environment: "node", isolate: false, include: ["src/**/*.test.ts"], setupFiles: ["src/testing/quiet.ts"] } },
      {
        extends: true,
        test: { name: "page", environment: "happy-dom", isolate: false, include: ["src/**/*.test.tsx"], setupFiles: ["src/testing/quiet.ts", "src/testing/setup.ts"] },
      },
    ],
  },
});
