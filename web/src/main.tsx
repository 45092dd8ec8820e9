// The page's driver: connect, say hello, show what the address names.
import { render } from "preact";
import { whenIdle } from "./base/idle";
import { showPrintableNodes } from "./base/printable_nodes";
import { check } from "./base/result";
import { startApp } from "./model/app";
import { applyTheme } from "./model/theme";
import { viewsOf } from "./features/registry";
import { Shell } from "./widgets/shell";

declare global {
  interface Window {
    skyline: { readonly whenIdle: () => Promise<void> };
  }
}

window.skyline = { whenIdle };
showPrintableNodes();
applyTheme();
startApp();
render(<Shell viewsOf={viewsOf} />, check(document.getElementById("app"), "#app"));
