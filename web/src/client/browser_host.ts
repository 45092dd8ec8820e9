// The page in a browser: files are shown in its own source pane, and the server writes them.
import type { ApplyParams } from "@protocol/messages";
import { signal } from "@preact/signals";
import { failure, ok, type Result } from "../base/result";
import { go } from "../base/url_state";
import type { Client } from "./connection";
import type { Host, Theme } from "./host";

export function makeBrowserHost(client: Client): Host {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const wanted = (): Theme => {
    const chosen = document.documentElement.dataset["theme"];
    return chosen === "light" || chosen === "dark" ? chosen : dark.matches ? "dark" : "light";
  };
  const theme = signal(wanted());
  dark.addEventListener("change", () => (theme.value = wanted()));
  new MutationObserver(() => (theme.value = wanted())).observe(document.documentElement, {
    attributeFilter: ["data-theme"],
  });
  return {
    kind: "browser",
    theme,
    openFile: (path, line) => go("source", { path, line: String(line) }),
    showEdit: () => false,
    applyEdit: async (params: ApplyParams): Promise<Result<void>> => {
      const result = await client.request("apply", params);
      return result.ok ? ok(undefined) : result;
    },
    onNotice: () => () => undefined, // the server sees files being saved by itself
    copyText,
  };
}

async function copyText(text: string): Promise<Result<void>> {
  try {
    await navigator.clipboard.writeText(text);
    return ok(undefined);
  } catch {
    // Not allowed, or the page came over plain HTTP from another machine, where there is no clipboard.
    return copySelected(text) ? ok(undefined) : failure("The browser does not let the page copy.");
  }
}

function copySelected(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
}
