import { expect, test } from "vitest";
import { LabelSprites } from "./labels";

function makeSprites(costMs: number, coverBytes = 10) {
  let clock = 0;
  const drawn: string[] = [];
  const sprites = new LabelSprites(
    (text) => {
      drawn.push(text);
      clock += costMs;
      return { width: 1, height: 1, cover: new Uint8Array(coverBytes) };
    },
    () => clock,
  );
  return { sprites, drawn };
}

test("a name is drawn once", () => {
  const { sprites, drawn } = makeSprites(0);
  expect(sprites.get("mm")).toBe(sprites.get("mm"));
  expect(drawn).toEqual(["mm"]);
});

test("a frame does not wait for many new names", () => {
  const { sprites, drawn } = makeSprites(1);
  sprites.beginFrame();
  const made = Array.from({ length: 50 }, (_, i) => sprites.get(`op ${i}`)).filter((each) => each !== undefined);
  expect(made.length).toBe(4);
  expect(sprites.isBehind).toBe(true);
  sprites.beginFrame();
  expect(sprites.isBehind).toBe(false);
  expect(sprites.get("op 4")).toBeDefined();
  expect(drawn.length).toBe(5);
});

test("very long names are cut before they are drawn", () => {
  const { sprites, drawn } = makeSprites(0);
  sprites.get("k".repeat(500));
  expect(drawn[0]!.length).toBe(121);
});

test("what is kept stays within its bytes", () => {
  const { sprites, drawn } = makeSprites(0, 3_000_000);
  for (const name of ["a", "b", "c", "a"]) sprites.get(name);
  expect(drawn).toEqual(["a", "b", "c", "a"]);
});

test("characters that turn a name around are drawn as such", () => {
  const { sprites, drawn } = makeSprites(0);
  sprites.get("a\u202eb");
  expect(drawn).toEqual(["a\\u202eb"]);
});
