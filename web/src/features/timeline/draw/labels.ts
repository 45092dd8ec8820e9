// Names as coverage: a canvas draws each once, then it is only copied. A frame makes only some new ones, so that a view
// full of new names does not stutter; the rest follow in the next frames.
import { printable } from "../../../base/printable";
import type { Sprite } from "./raster";

/** Draws a text: white on nothing. */
export type DrawText = (text: string) => Sprite;

const mostBytes = 8_000_000;
const longest = 120; // characters; the details show the rest
const mostPerFrameMs = 3;

export class LabelSprites {
  private readonly sprites = new Map<string, Sprite>();
  private bytes = 0;
  private spentMs = 0;
  /** Some texts have to wait for the next frame. */
  isBehind = false;

  constructor(
    private readonly draw: DrawText,
    private readonly now: () => number = () => performance.now(),
  ) {}

  beginFrame(): void {
    this.spentMs = 0;
    this.isBehind = false;
  }

  /** Undefined: in one of the next frames. */
  get(name: string): Sprite | undefined {
    const known = this.sprites.get(name);
    if (known !== undefined) return known;
    if (this.spentMs > mostPerFrameMs) {
      this.isBehind = true;
      return undefined;
    }
    const begin = this.now();
    const text = printable(name);
    const sprite = this.draw(text.length > longest ? `${text.slice(0, longest)}…` : text);
    this.spentMs += this.now() - begin;
    this.keep(name, sprite);
    return sprite;
  }

  private keep(name: string, sprite: Sprite): void {
    this.sprites.set(name, sprite);
    this.bytes += sprite.cover.length + 100;
    for (const [oldest, { cover }] of this.sprites) {
      if (this.bytes <= mostBytes) break;
      this.sprites.delete(oldest);
      this.bytes -= cover.length + 100;
    }
  }
}

/** Texts of `px` CSS pixels, as the page's own font. */
export function canvasText(px: number, ratio: number, family: string, height: number): DrawText {
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(longest * px * ratio);
  canvas.height = Math.ceil(height * ratio);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("no canvas");
  context.font = `${px * ratio}px ${family}`;
  context.textBaseline = "middle";
  context.fillStyle = "#fff";
  return (text) => {
    const width = Math.max(1, Math.min(canvas.width, Math.ceil(context.measureText(text).width)));
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillText(text, 0, canvas.height / 2 + ratio / 2);
    const { data } = context.getImageData(0, 0, width, canvas.height);
    const cover = new Uint8Array(width * canvas.height);
    for (let i = 0; i < cover.length; i += 1) cover[i] = data[4 * i + 3]!;
    return { width, height: canvas.height, cover };
  };
}
