// Pixels of the timeline. Thousands of rectangles through a canvas's own calls miss a frame where there is no GPU
// (measured: 33 ms at the 95th percentile for 5 000, against 17 ms here), so they are set directly. All slices of a row
// are equally high: a row is painted as a single line of pixels, which is then copied downwards. Text comes as coverage
// from a canvas, once per name (LabelSprites). Colours are packed as ImageData holds them: 0xAABBGGRR.

export type Packed = number;

export function pack(red: number, green: number, blue: number): Packed {
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

/** `cover`, a whole number from 0 to 256, of `ink` over `ground`. */
export function mix(ground: Packed, ink: Packed, cover: number): Packed {
  const rest = 256 - cover;
  const redBlue = (((ground & 0xff00ff) * rest + (ink & 0xff00ff) * cover) >>> 8) & 0xff00ff;
  const green = (((ground & 0xff00) * rest + (ink & 0xff00) * cover) >>> 8) & 0xff00;
  return (0xff000000 | redBlue | green) >>> 0;
}

/** Coverage of a text, as a canvas would draw it. */
export interface Sprite {
  readonly width: number;
  readonly height: number;
  readonly cover: Uint8Array;
}

const leastCover = 110; // of 256: what is much thinner than a pixel can still be seen
const gapFrom = 4; // pixels: narrower slices have no gap behind them

/** Lines of pixels, one per row of a track. */
export class Lines {
  width = 0;
  private pixels = new Uint32Array(0);

  /** Begins anew: every line is a copy of the ground. */
  begin(rows: number, ground: Uint32Array): void {
    this.width = ground.length;
    if (this.pixels.length < rows * this.width) this.pixels = new Uint32Array(rows * this.width);
    for (let row = 0; row < rows; row += 1) this.pixels.set(ground, row * this.width);
  }

  line(row: number): Uint32Array {
    return this.pixels.subarray(row * this.width, (row + 1) * this.width);
  }

  /** Paints from `x0` to `x1`, pixels that may have fractions; wide ones end with a gap of `gap` pixels. */
  span(row: number, x0: number, x1: number, colour: Packed, gap: number): void {
    if (x1 < 0 || x0 >= this.width) return;
    const at = row * this.width;
    if (x1 - x0 < gapFrom) {
      this.thinSpan(at, x0, x1, colour);
      return;
    }
    const begin = Math.max(0, Math.round(x0));
    const end = Math.min(this.width, Math.round(x1) - gap);
    this.pixels.fill(colour, at + begin, at + end);
  }

  // Edges are blended, so that what is thin neither jumps nor vanishes while the view moves.
  private thinSpan(at: number, x0: number, x1: number, colour: Packed): void {
    const last = this.width - 1;
    let x = Math.max(0, Math.floor(x0));
    if (x1 <= x + 1) {
      this.blend(at + Math.min(x, last), colour, Math.max(leastCover, (x1 - Math.max(x0, x)) * 256));
      return;
    }
    if (x0 > x) {
      this.blend(at + x, colour, (x + 1 - x0) * 256);
      x += 1;
    }
    const end = Math.min(this.width, Math.floor(x1));
    for (; x < end; x += 1) this.pixels[at + x] = colour;
    if (x === end && end <= last && x1 > end) this.blend(at + end, colour, (x1 - end) * 256);
  }

  private blend(at: number, colour: Packed, cover: number): void {
    this.pixels[at] = mix(this.pixels[at]!, colour, Math.min(256, cover | 0));
  }
}

/** The whole picture. */
export class Raster {
  private constructor(
    readonly width: number,
    readonly height: number,
    readonly image: ImageData,
    readonly pixels: Uint32Array,
  ) {}

  static make(image: ImageData): Raster {
    return new Raster(image.width, image.height, image, new Uint32Array(image.data.buffer));
  }

  /** Copies a line of pixels to all lines from `top` up to `bottom`. */
  copyDown(line: Uint32Array, top: number, bottom: number): void {
    const end = Math.min(bottom, this.height);
    for (let y = Math.max(0, top); y < end; y += 1) this.pixels.set(line, y * this.width);
  }

  fill(x0: number, y0: number, x1: number, y1: number, colour: Packed): void {
    const [left, right] = [Math.max(0, x0), Math.min(this.width, x1)];
    if (left >= right) return;
    for (let y = Math.max(0, y0); y < Math.min(this.height, y1); y += 1) {
      this.pixels.fill(colour, y * this.width + left, y * this.width + right);
    }
  }

  /** Sets text with its upper left corner at x, y; what does not fit into `room` fades out. */
  text(sprite: Sprite, x: number, y: number, room: number, ink: Packed, fade: number): void {
    const shown = Math.min(sprite.width, Math.floor(room), this.width - x);
    const fadeFrom = sprite.width > room ? shown - fade : shown;
    const [top, bottom] = [Math.max(0, -y), Math.min(sprite.height, this.height - y)];
    for (let line = top; line < bottom; line += 1) {
      let from = line * sprite.width;
      let to = (y + line) * this.width + x;
      for (let column = 0; column < shown; column += 1, from += 1, to += 1) {
        let cover = sprite.cover[from]!;
        if (cover === 0 || x + column < 0) continue;
        if (column > fadeFrom) cover = (cover * (shown - column)) / fade;
        this.pixels[to] = mix(this.pixels[to]!, ink, (cover * 257) >> 8);
      }
    }
  }
}
