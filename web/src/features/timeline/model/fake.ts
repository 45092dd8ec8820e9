// For tests: frames as the server writes them, by an encoder that shares nothing with the decoder.
import type { TimelineTrack, TraceSummary } from "@protocol/messages";
import type { TracePart } from "./layout";

export interface FakeEntry {
  readonly startNs: number;
  readonly endNs: number;
  readonly slice: number;
  readonly name: number;
  readonly slices: number;
  readonly row: number;
  readonly kind: number;
}

export interface FakeTile {
  readonly track: number;
  readonly entries: readonly FakeEntry[];
  readonly names: readonly (readonly [number, string])[];
}

export interface FakeCounter {
  readonly counter: number;
  readonly points: readonly {
    readonly timeNs: number;
    readonly low: number;
    readonly high: number;
    readonly last: number;
  }[];
}

class Bytes {
  private bytes: number[] = [];

  pad(): this {
    while (this.bytes.length % 8 !== 0) this.bytes.push(0);
    return this;
  }
  add(size: number, set: (view: DataView) => void): void {
    const view = new DataView(new ArrayBuffer(size));
    set(view);
    this.bytes.push(...new Uint8Array(view.buffer));
  }
  u8 = (value: number): void => void this.bytes.push(value);
  u16 = (value: number): void => this.add(2, (view) => view.setUint16(0, value, true));
  u32 = (value: number): void => this.add(4, (view) => view.setUint32(0, value, true));
  f64 = (value: number): void => this.add(8, (view) => view.setFloat64(0, value, true));
  column<T>(values: readonly T[], put: (value: T) => void): void {
    this.pad();
    values.forEach(put);
  }
  done(): ArrayBuffer {
    return new Uint8Array(this.pad().bytes).buffer;
  }
}

function begin(id: number, tiles: number): Bytes {
  const bytes = new Bytes();
  for (const word of [id, 0, tiles, 0]) bytes.u32(word);
  return bytes;
}

export function sliceFrame(id: number, tiles: readonly FakeTile[]): ArrayBuffer {
  const bytes = begin(id, tiles.length);
  for (const { track, entries, names } of tiles) {
    const texts = names.map(([, text]) => new TextEncoder().encode(text));
    let end = 0;
    const ends = texts.map((text) => (end += text.length));
    bytes.column([track, entries.length, names.length, end], bytes.u32);
    const column = (of: keyof FakeEntry, put: (value: number) => void): void =>
      bytes.column(
        entries.map((entry) => entry[of]),
        put,
      );
    column("startNs", bytes.f64);
    column("endNs", bytes.f64);
    column("slice", bytes.u32);
    column("name", bytes.u32);
    column("slices", bytes.u32);
    column("row", bytes.u16);
    column("kind", bytes.u8);
    bytes.column(
      names.map(([nameId]) => nameId),
      bytes.u32,
    );
    bytes.column(ends, bytes.u32);
    bytes.column(
      texts.flatMap((text) => [...text]),
      bytes.u8,
    );
  }
  return bytes.done();
}

export function counterFrame(id: number, tiles: readonly FakeCounter[]): ArrayBuffer {
  const bytes = begin(id, tiles.length);
  for (const { counter, points } of tiles) {
    bytes.column([counter, points.length], bytes.u32);
    for (const of of ["timeNs", "low", "high", "last"] as const) {
      bytes.column(
        points.map((point) => point[of]),
        bytes.f64,
      );
    }
  }
  return bytes.done();
}

export function fakeTrack(over: Partial<TimelineTrack>): TimelineTrack {
  return { id: 0, name: "main", process: "python 1", kind: "thread", rows: 1, slices: 10, ...over };
}

export function fakeSummary(over: Partial<TraceSummary>): TraceSummary {
  return {
    id: "a",
    name: "a.json",
    is_read: true,
    is_held: true,
    rank: -1,
    world_size: -1,
    offset_ns: 0,
    duration_ns: 1000,
    events: 10,
    steps: 0,
    host_name: "",
    producer: "",
    format: "",
    devices: [],
    has_device: false,
    has_memory: false,
    has_stacks: false,
    has_modules: false,
    has_sources: false,
    ...over,
  };
}

export function fakePart(over: Partial<TraceSummary>, tracks: readonly TimelineTrack[]): TracePart {
  const counter = { id: 0, name: "memory", unit: "bytes" as const, low: 0, high: 10, definition: "" };
  const timeline = { start_ns: 0, end_ns: 1000, tracks, counters: [counter], steps: [] };
  return { summary: fakeSummary(over), timeline };
}
