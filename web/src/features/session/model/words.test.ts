import type { BatchModels } from "@protocol/messages";
import { describe, expect, test } from "vitest";
import { result } from "../../../model/breakdown/session_fake";
import type { Outlook } from "./predict";
import { formatChange, formatSpread, valueText, wishSentence } from "./words";

const outlook: Outlook = {
  batchSize: 48,
  perSecond: 1150,
  low: 1100,
  high: 1200,
  peakBytes: 2048,
  peakLow: 2000,
  peakHigh: 2100,
  isExtrapolated: false,
  index: 3,
};
const trusting = (time_doubt: string, memory_doubt: string) =>
  result({ device: "cuda:0", capacity_bytes: 4096, models: { time_doubt, memory_doubt } as BatchModels });
const plain = (text: string): string => text.replace(/[\u202f\u00a0]/g, " ");
const sentence = (time: string, memory: string): string =>
  plain(
    wishSentence(trusting(time, memory), outlook)
      .map(({ text }) => text)
      .join(""),
  );

describe("the sentence of a wish", () => {
  test("says what it would give and use", () => {
    expect(sentence("", "")).toBe(
      "1 000 samples/s at batch 32. Batch 48 would give about 1 150 (+15 %) and use 2.0 KiB of 4.0 KiB.",
    );
  });

  test("does not guess where a model is in doubt", () => {
    expect(sentence("No.", "")).toBe(
      "1 000 samples/s at batch 32. Batch 48 would use 2.0 KiB of 4.0 KiB. How fast it would be cannot be said.",
    );
    expect(sentence("", "No.")).toContain("would give about 1 150 (+15 %). How much memory");
    expect(plain(valueText(trusting("No.", ""), outlook))).toBe("batch 48: 2.0 KiB, predicted");
  });
});

test("changes have a sign, spreads one decimal where they are small", () => {
  expect([0.151, -0.03, 0.001].map(formatChange).map(plain)).toEqual(["+15 %", "−3 %", "±0 %"]);
  expect([0.008, 0.14, 1].map(formatSpread).map(plain)).toEqual(["± 0.8 %", "± 14 %", "spread not known yet"]);
});
