import { expect, test } from "vitest";
import { lineLink, placeLink } from "./source_link";

const find = (file: string): string | undefined => (file === "model.py" ? "src/model.py" : undefined);

test("a line of a file that can be shown has an address", () => {
  expect(lineLink(find, "model.py", 12)).toBe("#/source?line=12&path=src%2Fmodel.py");
  expect(placeLink(find, "model.py:12")).toBe("#/source?line=12&path=src%2Fmodel.py");
});

test("others have none", () => {
  expect(lineLink(find, "torch/nn.py", 1)).toBeUndefined();
  expect(lineLink(find, "model.py", null)).toBeUndefined();
  expect(placeLink(find, "(no line)")).toBeUndefined();
  expect(placeLink(find, undefined)).toBeUndefined();
});
