// What a frame of the timeline shows. Times without a trace are since the start of the earliest opened trace.
import type { Step } from "@protocol/messages";
import type { Camera, TimeSpan } from "../model/camera";
import type { TileCache } from "../model/cache";
import type { Layout } from "../model/layout";
import type { PlacedFlow, PlacedSlice } from "../model/places";
import type { CounterTile, SliceTile } from "../model/tiles";

export interface Scene {
  readonly camera: Camera;
  readonly scrollTop: number;
  readonly layout: Layout;
  readonly bounds: TimeSpan; // of all traces
  readonly steps: readonly Step[]; // of the chosen trace
  readonly stepsOffsetNs: number;
  readonly slices: TileCache<SliceTile>;
  readonly counters: TileCache<CounterTile>;
  readonly selected: PlacedSlice | undefined;
  readonly hovered: PlacedSlice | undefined;
  readonly flows: readonly PlacedFlow[];
  readonly matches: readonly PlacedSlice[];
  readonly range: TimeSpan | undefined;
  readonly marks: readonly number[];
  readonly cursorNs: number | undefined;
}

/** CSS pixels of the picture, and how many of its own go into one. */
export interface Size {
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
}

export interface FrameReport {
  readonly slices: number; // drawn
  readonly missing: number; // tiles
  readonly isBehind: boolean; // some names come with the next frame
}

export const tickRowPx = 22;
export const stepRowPx = 20;

export function rulerPx(steps: readonly Step[]): number {
  return tickRowPx + (steps.length > 0 ? stepRowPx : 0);
}
