import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Where `npm run dev` finds the Django server; the browser's own host stays, for Django compares it with the origin. */
const server = { target: process.env.LANTERN_SERVER ?? "http://127.0.0.1:8000", changeOrigin: false };

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: {
    port: 5173,
    proxy: { "/api": server, "/_allauth": server, "/media": server },
  },
  build: { outDir: "dist", target: "es2022", chunkSizeWarningLimit: 900 },
  test: {
    css: false,
    pool: "threads",
    // A page costs half a second a file, so only component tests get one; a .test.ts that needs it says so itself.
    projects: [
      { extends: true, test: { name: "plain", environment: "node", include: ["src/**/*.test.ts"] } },
      {
        extends: true,
        test: { name: "page", environment: "happy-dom", include: ["src/**/*.test.tsx"], setupFiles: ["src/testing/setup.ts"] },
      },
    ],
  },
});
