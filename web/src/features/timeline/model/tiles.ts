// Binary answers of `tiles` and `counter_tiles`; protocol/README.md draws their layout. Each tile gets memory of its
// own, so that one of many can be forgotten. Names are read when the first one is asked for.

/** Slices of one track in one stretch of time, as columns. Times are since the trace's start. */
export interface SliceTile {
  readonly track: number;
  readonly count: number;
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
  readonly slice: Uint32Array; // the longest, where several are drawn as one
  readonly name: Uint32Array;
  readonly slices: Uint32Array;
  readonly row: Uint16Array;
  readonly kind: Uint8Array;
  readonly bytes: number;
  /** By id, of those that are wide enough to carry one. */
  names(): ReadonlyMap<number, string>;
}

export interface CounterTile {
  readonly counter: number;
  readonly count: number;
  readonly timeNs: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly last: Float64Array;
  readonly bytes: number;
}

const align = (at: number): number => (at + 7) & ~7;

/** Walks over a frame; knows where the next column begins. */
class Cursor {
  private readonly view: DataView;
  at = 16; // after the request's id and the number of tiles

  constructor(readonly frame: ArrayBuffer) {
    this.view = new DataView(frame);
  }

  tileCount(): number {
    return this.view.getUint32(8, true);
  }

  header(words: number): number[] {
    this.at = align(this.at);
    const header = Array.from({ length: words }, (_, i) => this.view.getUint32(this.at + 4 * i, true));
    this.at += 4 * words;
    return header;
  }
}

/** Columns of one tile, cut from a copy of its bytes. */
class Columns {
  private at = 0;
  constructor(readonly buffer: ArrayBuffer) {}

  private take(bytes: number): number {
    const begin = align(this.at);
    this.at = begin + bytes;
    return begin;
  }
  f64 = (count: number): Float64Array => new Float64Array(this.buffer, this.take(8 * count), count);
  u32 = (count: number): Uint32Array => new Uint32Array(this.buffer, this.take(4 * count), count);
  u16 = (count: number): Uint16Array => new Uint16Array(this.buffer, this.take(2 * count), count);
  u8 = (count: number): Uint8Array => new Uint8Array(this.buffer, this.take(count), count);
}

export function decodeSliceTiles(frame: ArrayBuffer): SliceTile[] {
  const cursor = new Cursor(frame);
  return Array.from({ length: cursor.tileCount() }, () => decodeSliceTile(cursor));
}

function decodeSliceTile(cursor: Cursor): SliceTile {
  const [track = 0, count = 0, names = 0, nameBytes = 0] = cursor.header(4);
  const bytes =
    16 * count + 3 * align(4 * count) + align(2 * count) + align(count) + 2 * align(4 * names) + align(nameBytes);
  const columns = new Columns(cursor.frame.slice(cursor.at, cursor.at + bytes));
  cursor.at += bytes;
  const tile = {
    track,
    count,
    startNs: columns.f64(count),
    endNs: columns.f64(count),
    slice: columns.u32(count),
    name: columns.u32(count),
    slices: columns.u32(count),
    row: columns.u16(count),
    kind: columns.u8(count),
    bytes: bytes + 500, // and the objects around them
  };
  const [ids, ends, text] = [columns.u32(names), columns.u32(names), columns.u8(nameBytes)];
  let known: Map<number, string> | undefined;
  return { ...tile, names: () => (known ??= readNames(ids, ends, text)) };
}

function readNames(ids: Uint32Array, ends: Uint32Array, text: Uint8Array): Map<number, string> {
  const decoder = new TextDecoder();
  const names = new Map<number, string>();
  let begin = 0;
  ids.forEach((id, i) => {
    const end = ends[i]!;
    names.set(id, decoder.decode(text.subarray(begin, end)));
    begin = end;
  });
  return names;
}

export function decodeCounterTiles(frame: ArrayBuffer): CounterTile[] {
  const cursor = new Cursor(frame);
  return Array.from({ length: cursor.tileCount() }, () => {
    const [counter = 0, count = 0] = cursor.header(2);
    const bytes = 32 * count;
    const columns = new Columns(cursor.frame.slice(cursor.at, cursor.at + bytes));
    cursor.at += bytes;
    return {
      counter,
      count,
      timeNs: columns.f64(count),
      low: columns.f64(count),
      high: columns.f64(count),
      last: columns.f64(count),
      bytes: bytes + 300,
    };
  });
}
