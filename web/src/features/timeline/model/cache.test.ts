import { expect, test } from "vitest";
import { TileCache, tileKey } from "./cache";

test("the tile that was used longest ago goes first, and bytes stay within the limit", () => {
  const cache = new TileCache<{ bytes: number }>(100);
  cache.put("a", { bytes: 40 });
  cache.put("b", { bytes: 40 });
  cache.get("a");
  cache.put("c", { bytes: 40 });
  expect([cache.has("a"), cache.has("b"), cache.has("c")]).toEqual([true, false, true]);
  expect(cache.bytes).toBe(80);
});

test("a tile that comes again is counted once", () => {
  const cache = new TileCache<{ bytes: number }>(100);
  cache.put("a", { bytes: 40 });
  cache.put("a", { bytes: 30 });
  expect([cache.bytes, cache.size]).toEqual([30, 1]);
});

test("a tile larger than the limit is kept until the next one comes", () => {
  const cache = new TileCache<{ bytes: number }>(100);
  cache.put("a", { bytes: 30 });
  cache.put("big", { bytes: 300 });
  expect([cache.size, cache.has("big")]).toEqual([1, true]);
  cache.put("b", { bytes: 1 });
  expect([cache.size, cache.bytes]).toEqual([1, 1]);
});

test("keys tell traces with slashes in their names apart", () => {
  expect(tileKey("a/1", 2, 3, 4)).not.toBe(tileKey("a", 2, 3, 4));
  expect(tileKey("1/2", 3, 4, 5)).not.toBe(tileKey("2", 3, 4, 5));
});
