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
const session = result({ models, samples_per_second: 800, peak_bytes: 3200, capacity_bytes: 6000 });

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

  test("asks for the largest batch size within that memory, never for one that does not fit", () => {
    const slider = show({ metric: "memory" });
    drag(slider, 0.5);
    drag(slider, 0.999);
    expect(onWish.mock.calls.flat()).toEqual([24, 56]);
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

  test("is why it can not be dragged", () => {
    const doubt = "The times of three batch sizes disagree.";
    const slider = show({ result: { ...session, models: { ...models, time_doubt: doubt } } });
    expect(slider.getAttribute("aria-disabled")).toBe("true");
    expect(document.querySelector('[role="note"]')?.textContent).toBe(doubt);
    press(slider, "ArrowRight");
    expect(onWish).not.toHaveBeenCalled();
  });
});
