import { expect, test } from "vitest";
import { fileCosts } from "../../../model/breakdown/lines";
import { breakdown, memory } from "../../../model/breakdown/session_fake";
import { searchPlaces } from "./search";

const find = (text: string) => searchPlaces(breakdown, fileCosts(breakdown, memory, "host"), text, "host");

test("modules are found by name and class, lines by file, number and function; the longest first", () => {
  expect(find("blocks.1").map(({ label }) => label)).toEqual(["blocks.1", "blocks.1.conv"]);
  expect(find("conv2d").map(({ label }) => label)).toEqual(["blocks.1.conv"]);
  expect(find("model.py").map(({ label }) => label)).toEqual(["model.py:8", "model.py:9", "model.py:3"]);
  expect(find("forward 9").map(({ place }) => place)).toEqual([{ path: "model.py", line: 9 }]);
});

test("a module with nothing inside opens the one around it", () => {
  expect(breakdown.modules[find("conv2d")[0]?.node ?? 0]?.name).toBe("blocks.1");
  expect(breakdown.modules[find("sequential")[0]?.node ?? 0]?.name).toBe("blocks");
});

test("nothing is found by nothing, or before anything is known", () => {
  expect(find(" ")).toEqual([]);
  expect(searchPlaces(undefined, [], "block", "host")).toEqual([]);
});
