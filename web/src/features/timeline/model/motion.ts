// How the camera moves: at once, in a short flight, or as long as a key is held.
import { between, type Bounds, type Camera, clampCamera, pan, zoom } from "./camera";
import type { Motion as Hint } from "./wanted";

export type Way = "in" | "out" | "left" | "right";

const flightMs = 140;
const leastHoldMs = 90; // a tap is a small step
const doublingMs = 220; // of a pixel's time while a key is held
const panPxPerMs = 1.1;
const longestFrameMs = 50; // after a hiccup the view does not leap
const stepZoom = 1.5; // without motion
const stepPanPx = 120;

interface Flight {
  readonly from: Camera;
  readonly to: Camera;
  readonly beginMs: number;
}

interface Hold {
  readonly sinceMs: number;
  isReleased: boolean;
}

export class CameraMotion {
  private flight: Flight | undefined;
  private readonly holds = new Map<Way, Hold>();
  private lastMs: number | undefined;
  anchorPx = 0; // where the mouse is

  constructor(
    public camera: Camera,
    private readonly isStill: () => boolean,
  ) {}

  get isMoving(): boolean {
    return this.flight !== undefined || this.holds.size > 0;
  }

  /** Where the camera will be when it rests, if no key is held. */
  get target(): Camera {
    return this.flight?.to ?? this.camera;
  }

  /** What will probably be seen next. */
  hint(): Hint {
    const has = (way: Way): number => (this.holds.has(way) ? 1 : 0);
    const to = this.flight?.to;
    const zoomed = to === undefined ? 0 : Math.log2(to.nsPerPx / this.camera.nsPerPx);
    const flightZoom = Math.abs(zoomed) < 1e-3 ? 0 : Math.sign(zoomed);
    const moved = to === undefined || flightZoom !== 0 ? 0 : Math.sign(to.startNs - this.camera.startNs);
    return {
      zoom: has("out") - has("in") || flightZoom,
      pan: has("right") - has("left") || moved,
      anchorPx: this.anchorPx,
    };
  }

  jumpTo(camera: Camera, bounds: Bounds): void {
    this.flight = undefined;
    this.camera = clampCamera(camera, bounds);
  }

  flyTo(camera: Camera, bounds: Bounds, nowMs: number): void {
    const to = clampCamera(camera, bounds);
    if (this.isStill()) this.camera = to;
    else this.flight = { from: this.camera, to, beginMs: nowMs };
  }

  press(way: Way, bounds: Bounds, nowMs: number): void {
    if (this.isStill()) {
      const factor = way === "in" ? 1 / stepZoom : way === "out" ? stepZoom : 1;
      const px = way === "left" ? -stepPanPx : way === "right" ? stepPanPx : 0;
      this.camera = clampCamera(pan(zoom(this.camera, factor, this.anchorPx, bounds), px), bounds);
      return;
    }
    this.flight = undefined;
    const hold = this.holds.get(way);
    if (hold === undefined || hold.isReleased) this.holds.set(way, { sinceMs: nowMs, isReleased: false });
  }

  release(way: Way): void {
    const hold = this.holds.get(way);
    if (hold !== undefined) hold.isReleased = true;
  }

  releaseAll(): void {
    this.holds.clear();
  }

  /** Moves on to the time of a frame. */
  advance(nowMs: number, bounds: Bounds): void {
    const passed = Math.min(longestFrameMs, nowMs - (this.lastMs ?? nowMs - 16));
    this.lastMs = this.isMoving ? nowMs : undefined;
    if (this.flight !== undefined) {
      const { from, to, beginMs } = this.flight;
      const share = Math.min(1, (nowMs - beginMs) / flightMs);
      this.camera = between(from, to, easeOut(share), bounds.widthPx);
      if (share >= 1) this.flight = undefined;
      return;
    }
    for (const [way, hold] of this.holds) {
      this.camera = clampCamera(this.moved(way, passed, bounds), bounds);
      if (hold.isReleased && nowMs - hold.sinceMs >= leastHoldMs) this.holds.delete(way);
    }
  }

  private moved(way: Way, passedMs: number, bounds: Bounds): Camera {
    if (way === "left" || way === "right") return pan(this.camera, (way === "left" ? -1 : 1) * panPxPerMs * passedMs);
    const factor = 2 ** ((way === "in" ? -1 : 1) * (passedMs / doublingMs));
    return zoom(this.camera, factor, this.anchorPx, bounds);
  }
}

function easeOut(share: number): number {
  return 1 - (1 - share) ** 3;
}
