// Colours of the timeline: one hue per role as everywhere, a few shades of it so that neighbours with different names
// can be told apart, and a paler one for many slices drawn as one.
import { type Role, roleOf } from "../../../base/roles";
import { mix, type Packed, pack } from "./raster";

export const shadeCount = 4;
const lighterBy = [0, 0.16, 0.3, 0.44] as const; // towards white; text stays readable on each
const lighterInDark = 0.55; // of that, where white shines
const joinedBy = 0.42; // towards the background

export interface Palette {
  readonly ground: Packed;
  readonly stepGround: Packed; // of every other step
  readonly outside: Packed; // before and after the trace
  readonly line: Packed;
  readonly stepLine: Packed;
  readonly text: Packed;
  readonly dim: Packed;
  readonly onRole: Packed;
  readonly accent: Packed;
  readonly counter: Packed;
  readonly counterBand: Packed;
  readonly range: Packed;
  /** By kind, shade and whether several slices are one: see colourIndex(). */
  readonly slices: Uint32Array;
}

/** Reads a colour of theme.css: red, green, blue. */
export type ReadColour = (name: string) => readonly [number, number, number];

/** `kinds`: what slices are drawn as, by number. */
export function makePalette(read: ReadColour, kinds: readonly string[]): Palette {
  const colour = (name: string): Packed => pack(...read(name));
  const ground = colour("--bg");
  const white = pack(255, 255, 255);
  const shine = (ground & 255) < 128 ? lighterInDark : 1;
  const slices = new Uint32Array(kinds.length * shadeCount * 2);
  kinds.forEach((kind, i) => {
    const base = colour(`--${roleOfKind(kind)}`);
    lighterBy.forEach((share, shade) => {
      const own = mix(base, white, Math.round(share * shine * 256));
      slices[colourIndex(i, shade, false)] = own;
      slices[colourIndex(i, shade, true)] = mix(own, ground, Math.round(joinedBy * 256));
    });
  });
  return {
    ground,
    stepGround: colour("--soft"),
    outside: mix(colour("--soft"), colour("--line"), 96),
    line: colour("--line"),
    stepLine: mix(colour("--line"), colour("--dim"), 100),
    text: colour("--fg"),
    dim: colour("--dim"),
    onRole: colour("--on-role"),
    accent: colour("--accent"),
    counter: mix(ground, colour("--activations"), 210),
    counterBand: mix(ground, colour("--activations"), 110),
    range: colour("--selected"),
    slices,
  };
}

// Annotations enclose what others do; they stand back.
const quiet: ReadonlySet<string> = new Set(["user_annotation", "gpu_user_annotation", "trace_span", "profiler_range"]);

export function roleOfKind(kind: string): Role {
  return quiet.has(kind) ? "idle" : roleOf(kind);
}

export function colourIndex(kind: number, shade: number, isJoined: boolean): number {
  return (kind * shadeCount + shade) * 2 + (isJoined ? 1 : 0);
}

/** Spreads ids over the shades; neighbours in number differ. */
export function shadeOf(name: number): number {
  return Math.imul(name ^ (name >>> 5), 0x9e3779b1) >>> 30;
}
