// One frame of the timeline: ground, tracks, ruler, then what stands above them.
import { xOf } from "../model/camera";
import { itemsWithin, slicePx } from "../model/layout";
import { paintCounter } from "./counters";
import { canvasText, LabelSprites } from "./labels";
import { drawOverlay, type OverlayColours } from "./overlay";
import { makePalette, type Palette, type ReadColour } from "./palette";
import { Lines, mix, Raster } from "./raster";
import { firstStepAfter, paintSteps, paintTicks } from "./ruler";
import { type FrameReport, rulerPx, type Scene, type Size, stepRowPx, tickRowPx } from "./scene";
import { paintTrack, type Painted } from "./slices";

const namePx = 11;
const leastStepPx = 4; // narrower steps are not shown apart

export class TimelineFrame {
  private readonly context: CanvasRenderingContext2D;
  private readonly raster: Raster; // below the ruler
  private readonly ruler: Raster;
  private ground = new Uint32Array(0);
  private readonly lines = new Lines();
  private readonly labels: LabelSprites;
  private readonly palette: Palette;
  private readonly colours: OverlayColours;

  constructor(
    canvas: HTMLCanvasElement,
    private readonly size: Size,
    kinds: readonly string[],
    rulerHeight: number,
  ) {
    const { width, height, ratio } = size;
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) throw new Error("no canvas");
    this.context = context;
    const rulerLines = Math.max(1, Math.round(rulerHeight * ratio));
    this.ruler = Raster.make(context.createImageData(canvas.width, rulerLines));
    this.raster = Raster.make(context.createImageData(canvas.width, Math.max(1, canvas.height - rulerLines)));
    const style = getComputedStyle(canvas);
    this.palette = makePalette(readColours(style), kinds);
    const font = style.getPropertyValue("--font");
    this.labels = new LabelSprites(canvasText(namePx, ratio, font, slicePx));
    this.colours = {
      text: style.getPropertyValue("--fg"),
      ground: style.getPropertyValue("--bg"),
      accent: style.getPropertyValue("--accent"),
      dim: style.getPropertyValue("--dim"),
      font: `${style.getPropertyValue("--size-small")} ${font}`,
    };
  }

  draw(scene: Scene): FrameReport {
    const { ratio } = this.size;
    this.labels.beginFrame();
    this.layGround(scene);
    const painted = this.paintItems(scene);
    this.paintRuler(scene);
    const top = Math.round(rulerPx(scene.steps) * ratio);
    this.context.putImageData(this.raster.image, 0, top);
    this.context.putImageData(this.ruler.image, 0, 0);
    drawOverlay(this.context, scene, this.size, this.colours);
    return { ...painted, isBehind: this.labels.isBehind };
  }

  private paintItems(scene: Scene): Painted {
    const { raster, palette } = this;
    const { ratio } = this.size;
    const painted: Painted = { slices: 0, missing: 0 };
    const bottom = scene.scrollTop + raster.height / ratio;
    raster.copyDown(this.ground, 0, raster.height);
    for (const item of itemsWithin(scene.layout, scene.scrollTop, bottom)) {
      const top = item.top - scene.scrollTop;
      if (item.kind === "heading") {
        const y = Math.round(top * ratio);
        raster.fill(0, y, raster.width, Math.round((top + item.height - 4) * ratio), palette.stepGround);
        raster.fill(0, y, raster.width, y + 1, palette.line);
      } else if (item.kind === "counter") {
        painted.missing += paintCounter(raster, palette, ratio, scene, item, top);
      } else {
        const { lines, labels, ground } = this;
        paintTrack({ raster, lines, labels, palette, ratio, ground }, scene, item, top, painted);
      }
    }
    return painted;
  }

  private paintRuler(scene: Scene): void {
    const { palette, labels, ruler } = this;
    const { ratio } = this.size;
    const paint = { raster: ruler, palette, labels, ratio, camera: scene.camera };
    ruler.copyDown(this.ground, 0, ruler.height);
    const hasSteps = scene.steps.length > 0;
    if (hasSteps) paintSteps(paint, scene.steps, scene.stepsOffsetNs);
    paintTicks(paint, hasSteps ? stepRowPx : 0);
    const bottom = ruler.height;
    ruler.fill(0, bottom - Math.max(1, Math.round(ratio)), ruler.width, bottom, palette.line);
    if (hasSteps)
      ruler.fill(
        0,
        Math.round(stepRowPx * ratio),
        ruler.width,
        bottom - Math.round((tickRowPx - 1) * ratio),
        palette.line,
      );
  }

  // What is behind everything: steps, the measured range, and grey where the traces do not reach.
  private layGround(scene: Scene): void {
    const width = this.raster.width;
    if (this.ground.length !== width) this.ground = new Uint32Array(width);
    const { palette, ground } = this;
    const { ratio } = this.size;
    const x = (ns: number): number => Math.round(Math.max(-1, Math.min(width + 1, xOf(scene.camera, ns) * ratio)));
    ground.fill(palette.ground);
    this.layStepGround(scene, x);
    const [begin, end] = [x(scene.bounds.startNs), x(scene.bounds.endNs)];
    ground.fill(palette.outside, 0, Math.max(0, begin));
    ground.fill(palette.outside, Math.max(0, end), width);
    if (scene.range === undefined) return;
    for (let i = Math.max(0, x(scene.range.startNs)); i < Math.min(width, x(scene.range.endNs)); i += 1) {
      ground[i] = mix(ground[i]!, palette.range, 200);
    }
  }

  private layStepGround(scene: Scene, x: (ns: number) => number): void {
    const { palette, ground } = this;
    const offset = scene.stepsOffsetNs;
    for (let i = firstStepAfter(scene.steps, scene.camera.startNs - offset); i < scene.steps.length; i += 1) {
      const step = scene.steps[i]!;
      const [begin, end] = [x(step.start_ns + offset), x(step.end_ns + offset)];
      if (begin >= ground.length) break;
      if ((step.end_ns - step.start_ns) / scene.camera.nsPerPx < leastStepPx) continue;
      if (step.number % 2 === 1) ground.fill(palette.stepGround, Math.max(0, begin), Math.max(0, end));
      if (begin >= 0) ground[begin] = palette.line;
    }
  }
}

/** Any colour that CSS can name. */
function readColours(style: CSSStyleDeclaration): ReadColour {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("no canvas");
  return (name) => {
    context.fillStyle = "#888";
    context.fillStyle = style.getPropertyValue(name).trim();
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue];
  };
}
