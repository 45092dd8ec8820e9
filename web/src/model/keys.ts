// Keys: a view says which ones it knows while it is shown; `?` lists them all.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

export interface Key {
  readonly keys: readonly string[]; // as KeyboardEvent.key; letters in lower case
  readonly what: string; // for the list
  /** False: not handled; the one who said its keys before is asked. */
  readonly run: (event: KeyboardEvent) => boolean | void;
}

/** The newest last, who is asked first. */
export const keySets = signal<readonly (readonly Key[])[]>([]);

/** Adds keys; call what it gives to take them away. */
export function addKeys(keys: readonly Key[]): () => void {
  keySets.value = [...keySets.peek(), keys];
  return () => {
    keySets.value = keySets.peek().filter((each) => each !== keys);
  };
}

/** Keys of a component while it is shown. `run` sees the values of the render that named it in `deps`. */
export function useKeys(keys: readonly Key[], deps: readonly unknown[]): void {
  useEffect(() => addKeys(keys), [...deps]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName);
}

/** Gives a key to whoever knows it. In a field only Escape is ours. */
export function dispatchKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping(event.target) && event.key !== "Escape") return;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  for (const set of [...keySets.peek()].reverse()) {
    for (const { keys, run } of set) {
      if (keys.includes(pressed) && run(event) !== false) {
        event.preventDefault();
        return;
      }
    }
  }
}
