// Where labels stand beside a stacked column: each at its own segment, none over another.
//
// The label of a segment that is high enough stays within it; that of a lower one may reach a little beyond. Where not
// all can have that, the lowest segments go without. Of all places that are left, each label takes one near the middle
// of its segment: the mean of what comes out from the top down and from the bottom up, as neither end is to be favoured.

export interface LabelSpot {
  readonly index: number; // of the segment
  readonly top: number;
}

interface Candidate {
  readonly index: number;
  readonly height: number; // of the segment
  readonly wish: number; // where its top would like to be
  readonly low: number; // where it may be
  readonly high: number;
}

// How far the middle of a label may be from the segment that it names, in heights of a label.
const reach = 1.25;

/** `heights` of the segments from the top on, in pixels. */
export function placeLabels(heights: readonly number[], labelHeight: number): LabelSpot[] {
  let chosen = candidates(heights, labelHeight);
  for (;;) {
    const bounds = boundsOf(chosen, labelHeight);
    if (bounds.blocked === undefined) return spread(chosen, bounds, labelHeight);
    const lowest = bounds.blocked;
    chosen = chosen.filter((each) => each !== lowest);
  }
}

function candidates(heights: readonly number[], labelHeight: number): Candidate[] {
  const whole = heights.reduce((sum, height) => sum + height, 0);
  if (whole < labelHeight) return [];
  const inside = (top: number): number => Math.max(0, Math.min(whole - labelHeight, top));
  let begin = 0;
  return heights.map((height, index) => {
    const end = begin + height;
    const wish = inside((begin + end - labelHeight) / 2);
    const slack = Math.max(height - labelHeight, 0) / 2 + (height < labelHeight ? reach * labelHeight : 0);
    begin = end;
    return { index, height, wish, low: inside(wish - slack), high: inside(wish + slack) };
  });
}

interface Bounds {
  readonly first: readonly number[]; // the highest place that those above leave
  readonly last: readonly number[]; // the lowest place that those below leave
  readonly blocked: Candidate | undefined; // who must go, as there is no room for all; undefined: there is
}

function boundsOf(chosen: readonly Candidate[], labelHeight: number): Bounds {
  const first: number[] = [];
  let begin = 0; // of the run that touches
  for (const [i, each] of chosen.entries()) {
    const after = i === 0 ? -Infinity : (first[i - 1] ?? 0) + labelHeight;
    if (after <= each.low) begin = i;
    const top = Math.max(each.low, after);
    if (top > each.high + 1e-9) {
      const run = chosen.slice(begin, i + 1);
      return { first, last: [], blocked: run.reduce((a, b) => (b.height < a.height ? b : a)) };
    }
    first.push(top);
  }
  const last: number[] = [];
  for (let i = chosen.length - 1; i >= 0; --i) {
    last[i] = Math.min(chosen[i]?.high ?? 0, (last[i + 1] ?? Infinity) - labelHeight);
  }
  return { first, last, blocked: undefined };
}

function spread(chosen: readonly Candidate[], { first, last }: Bounds, labelHeight: number): LabelSpot[] {
  const down: number[] = [];
  const up: number[] = [];
  for (const [i, { wish }] of chosen.entries()) {
    const above = (down[i - 1] ?? -Infinity) + labelHeight;
    down.push(Math.min(last[i] ?? 0, Math.max(first[i] ?? 0, above, wish)));
  }
  for (let i = chosen.length - 1; i >= 0; --i) {
    const below = (up[i + 1] ?? Infinity) - labelHeight;
    up[i] = Math.max(first[i] ?? 0, Math.min(last[i] ?? 0, below, chosen[i]?.wish ?? 0));
  }
  return chosen.map(({ index }, i) => ({ index, top: ((down[i] ?? 0) + (up[i] ?? 0)) / 2 }));
}
