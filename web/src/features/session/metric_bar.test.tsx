import type { BatchModels } from "@protocol/messages";
import { render } from "preact";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { result } from "../../model/breakdown/session_fake";
import { outlookFor } from "./model/predict";
import { MetricBar } from "./metric_bar";

const sizes = [8, 16, 24, 32, 40, 48, 56, 64];
const models = {
  time_doubt: "",
  memory_doubt: "",
  largest: 56,
  largest_is_verified: false,
  largest_is_reached: true,
  best: 64,
  best_samples_per_second: 1600,
  knee: 32,
  predictions: {
    batch_size: sizes,
    samples_per_second: sizes.map((size) => 25 * size),
    low: sizes.map((size) => 24 * size),
    high: sizes.map((size) => 26 * size),
    peak_bytes: sizes.map((size) => 100 * size),
    peak_low: sizes.map((size) => 99 * size),
    peak_high: sizes.map((size) => 101 * size),
    is_extrapolated: sizes.map((size) => size > 48),
  },
} as unknown as BatchModels;
const session = result({ models, device: "cuda:0", samples_per_second: 800, peak_bytes: 3200, capacity_bytes: 6000 });

const onWish = vi.fn<(batchSize: number) => void>();

beforeEach(() => {
  render(null, document.body);
  onWish.mockClear();
});

function show(over: Partial<Parameters<typeof MetricBar>[0]> = {}): HTMLElement {
  render(
    <MetricBar metric="throughput" result={session} outlook={undefined} isEnabled={true} onWish={onWish} {...over} />,
    document.body,
  );
  const slider = document.querySelector<HTMLElement>('[role="slider"]');
  if (slider === null) throw new Error("no slider");
  return slider;
}

const press = (slider: HTMLElement, key: string, shiftKey = false): void => {
  slider.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
};

describe("keys", () => {
  test("ask for the next batch size that has a prediction, and for the ends", () => {
    const slider = show();
    for (const key of ["ArrowRight", "ArrowLeft", "Home", "End"]) press(slider, key);
    expect(onWish.mock.calls.flat()).toEqual([40, 24, 8, 56]);
  });

  test("do nothing where the bar stands still", () => {
    press(show({ isEnabled: false }), "ArrowRight");
    expect(onWish).not.toHaveBeenCalled();
  });
});

describe("dragging", () => {
  const drag = (slider: HTMLElement, share: number): void => {
    slider.getBoundingClientRect = () => new DOMRect(100, 0, 200, 26);
    slider.setPointerCapture = () => undefined;
    slider.dispatchEvent(new PointerEvent("pointerdown", { clientX: 100 + share * 200, button: 0, bubbles: true }));
  };

  test("asks for the smallest batch size with that throughput", () => {
    drag(show(), 0.5); // half of 1400: 28 samples are needed, so 32
    expect(onWish).toHaveBeenCalledWith(32);
  });

  test("changes nothing when the grip is only pressed, and follows when it is moved", () => {
    const slider = show();
    drag(slider, 800 / 1400 + 0.02); // four pixels beside its middle
    slider.dispatchEvent(new PointerEvent("pointermove", { clientX: 100 + (800 / 1400) * 200 + 5, bubbles: true }));
    expect(onWish).not.toHaveBeenCalled();
    slider.dispatchEvent(new PointerEvent("pointermove", { clientX: 100 + (800 / 1400) * 200 + 60, bubbles: true }));
    expect(onWish).toHaveBeenCalledWith(48);
  });

  test("asks for the largest batch size within that memory, never for one that does not fit", () => {
    const slider = show({ metric: "memory" });
    drag(slider, 0.42);
    drag(slider, 0.999);
    expect(onWish.mock.calls.flat()).toEqual([24, 56]);
  });
});

describe("memory on a machine without a device", () => {
  const cpu = { ...session, device: "cpu", resident_bytes: 5000, capacity_bytes: 90_000 };

  test("is not held against the RAM, which limits what is resident", () => {
    show({ metric: "memory", result: cpu });
    expect(document.querySelector(".metric-figure")?.textContent).not.toContain(" of ");
    expect(document.querySelector(".metric")?.textContent).toMatch(/resident 4.9\u00a0KiB of 87.9\u00a0KiB/);
  });

  test("has a legend for each of its marks", () => {
    show({ metric: "memory", result: cpu });
    for (const mark of ["far", "over"]) {
      expect(document.querySelector(`.metric-ground .metric-${mark}`) === null).toBe(
        document.querySelector(`.metric-legend .is-${mark}`) === null,
      );
    }
  });
});

describe("what it says", () => {
  test("is the prediction with its band, and that it is one", () => {
    const slider = show({ outlook: outlookFor(models, 48) });
    expect(slider.getAttribute("aria-valuetext")).toContain("batch 48: about 1");
    expect(document.querySelector(".metric-figure")?.textContent).toContain("predicted ±");
    show({ outlook: outlookFor(models, 56) });
    expect(document.querySelector(".metric-figure")?.textContent).toContain("extrapolated");
  });

  test("is why it cannot be dragged", () => {
    const doubt = "The times of three batch sizes disagree.";
    const slider = show({ result: { ...session, models: { ...models, time_doubt: doubt } } });
    expect(slider.getAttribute("aria-disabled")).toBe("true");
    expect(document.querySelector('[role="note"]')?.textContent).toBe(doubt);
    press(slider, "ArrowRight");
    expect(onWish).not.toHaveBeenCalled();
  });
});
