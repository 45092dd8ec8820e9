import { defineConfig } from "vitest/config";

// With SKYLINE_URL=http://127.0.0.1:PORT/TOKEN/ `npm run dev` shows what that server serves.
const server = process.env["SKYLINE_URL"] ?? "";
const target = server === "" ? undefined : new URL(server);

export default defineConfig({
  base: "./", // the page is served below a path that holds the server's token
  resolve: { alias: { "@protocol": new URL("../protocol", import.meta.url).pathname } },
  build: {
    target: "es2022",
    assetsInlineLimit: 0, // no data: addresses, which the page's policy forbids
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    fs: { allow: [".."] },
    proxy:
      target === undefined
        ? {}
        : {
            "/ws": {
              target: target.origin,
              ws: true,
              changeOrigin: true,
              headers: { origin: target.origin },
              rewrite: () => `${target.pathname}ws`,
            },
          },
  },
  test: { environment: "happy-dom", include: ["src/**/*.test.{ts,tsx}"] },
});
