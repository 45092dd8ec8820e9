// Light or dark: the system's wish unless the user has chosen. A choice is kept by the browser, as it is about the
// reader and not about what is read.
import { signal } from "@preact/signals";

export type ThemeChoice = "system" | "light" | "dark";

const key = "skyline.theme";

function kept(): ThemeChoice {
  const text = localStorage.getItem(key);
  return text === "light" || text === "dark" ? text : "system";
}

export const themeChoice = signal<ThemeChoice>(kept());

export function chooseTheme(choice: ThemeChoice): void {
  themeChoice.value = choice;
  if (choice === "system") localStorage.removeItem(key);
  else localStorage.setItem(key, choice);
  applyTheme();
}

export function applyTheme(): void {
  const root = document.documentElement;
  if (themeChoice.value === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = themeChoice.value;
}
