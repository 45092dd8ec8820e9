import { describe, expect, test } from "vitest";
import { Lines, mix, pack, Raster } from "./raster";

const white = pack(255, 255, 255);
const black = pack(0, 0, 0);

function paint(x0: number, x1: number, width = 12, gap = 1): string {
  const lines = new Lines();
  lines.begin(2, new Uint32Array(width).fill(white));
  lines.span(1, x0, x1, black, gap);
  expect([...lines.line(0)].every((pixel) => pixel === white)).toBe(true);
  // The darkness of each pixel, from 0 to 9.
  return [...lines.line(1)].map((pixel) => Math.round(9 - ((pixel & 255) / 255) * 9)).join("");
}

describe("a line of slices", () => {
  test("paints whole pixels with a gap behind wide slices", () => {
    expect(paint(2, 8)).toBe("009999900000");
    expect(paint(2, 5)).toBe("009990000000");
  });

  test("blends the edges of thin ones", () => {
    expect(paint(2.5, 5.25)).toBe("005992000000");
  });

  test("shows what is much thinner than a pixel", () => {
    expect(paint(4, 4.001)).toBe("000040000000");
    expect(paint(4, 4)).toBe("000040000000");
    expect(paint(0, 0)).toBe("400000000000");
  });

  test("stays within the line", () => {
    expect(paint(-50, 500)).toBe("999999999999");
    expect(paint(-2, 1)).toBe("900000000000");
    expect(paint(-5, -1)).toBe("000000000000");
    expect(paint(11, 13)).toBe("000000000009");
    expect(paint(11.5, 14)).toBe("000000000005");
    expect(paint(12, 13)).toBe("000000000000");
  });
});

describe("colours", () => {
  test("are mixed per channel", () => {
    expect(mix(white, black, 0)).toBe(white);
    expect(mix(white, black, 256)).toBe(black);
    expect(mix(pack(10, 20, 30), pack(210, 120, 30), 128)).toBe(pack(110, 70, 30));
  });
});

describe("text", () => {
  const makeRaster = (): Raster => {
    const data = new Uint8ClampedArray(10 * 2 * 4).fill(255);
    return Raster.make({ width: 10, height: 2, data } as unknown as ImageData);
  };
  const sprite = { width: 6, height: 1, cover: new Uint8Array(6).fill(255) };
  const darkness = (raster: Raster): string =>
    [...raster.pixels.subarray(0, 10)].map((pixel) => Math.round(9 - ((pixel & 255) / 255) * 9)).join("");

  test("is set where it fits", () => {
    const raster = makeRaster();
    raster.text(sprite, 2, 0, 100, black, 2);
    expect(darkness(raster)).toBe("0099999900");
  });

  test("fades out where it does not, and is cut at the edges", () => {
    const raster = makeRaster();
    raster.text(sprite, 2, 0, 4, black, 2);
    expect(darkness(raster)).toBe("0099940000");
    const edge = makeRaster();
    edge.text(sprite, -3, 0, 100, black, 2);
    expect(darkness(edge)).toBe("9990000000");
    edge.text(sprite, 7, 0, 100, black, 2);
    expect(darkness(edge)).toBe("9990000999");
  });

  test("above or below the picture is not set", () => {
    const raster = makeRaster();
    raster.text(sprite, 0, -1, 100, black, 2);
    raster.text(sprite, 0, 2, 100, black, 2);
    expect(raster.pixels.every((pixel) => pixel === white)).toBe(true);
  });
});
