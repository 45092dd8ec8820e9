import { afterEach, expect, test } from "vitest";
import { addKeys, dispatchKey } from "./keys";

const heard: string[] = [];
const stops: (() => void)[] = [];

function know(name: string, key: string, handles = true): void {
  stops.push(addKeys([{ keys: [key], what: name, run: () => (heard.push(name), handles) }]));
}

function press(key: string, target: EventTarget = document.body): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, cancelable: true });
  Object.defineProperty(event, "target", { value: target });
  dispatchKey(event);
  return event;
}

afterEach(() => {
  heard.length = 0;
  for (const stop of stops.splice(0)) stop();
});

test("the newest is asked first, and those before if it does not want the key", () => {
  know("shell", "Escape");
  know("view", "Escape", false);
  expect(press("Escape").defaultPrevented).toBe(true);
  expect(heard).toEqual(["view", "shell"]);
});

test("letters count in any case, and what nobody knows is left alone", () => {
  know("view", "w");
  press("W");
  expect(heard).toEqual(["view"]);
  expect(press("q").defaultPrevented).toBe(false);
});

test("in a field only Escape is ours", () => {
  know("search", "/");
  know("leave", "Escape");
  const field = document.createElement("input");
  press("/", field);
  press("Escape", field);
  expect(heard).toEqual(["leave"]);
});

test("who has gone is not asked", () => {
  know("view", "w");
  stops.pop()?.();
  press("w");
  expect(heard).toEqual([]);
});
