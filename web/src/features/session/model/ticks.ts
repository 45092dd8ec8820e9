// Which numbers stand below an axis, and where, so that no two collide and none leaves the picture.

export interface Tick {
  readonly value: number;
  readonly at: number; // the middle of its text
}

const digitWidth = 7.2; // of the axes' font, at 11 px
const leastGap = 7;

/** `values`, the most important first; the rest goes where there is room. */
export function placeTicks(
  values: readonly number[],
  position: (value: number) => number,
  left: number,
  right: number,
): readonly Tick[] {
  const placed: (Tick & { readonly half: number })[] = [];
  for (const value of values) {
    const half = (String(value).length * digitWidth) / 2;
    const at = Math.max(left + half, Math.min(right - half, position(value)));
    const isFree = placed.every((other) => Math.abs(other.at - at) >= other.half + half + leastGap);
    if (isFree) placed.push({ value, at, half });
  }
  return placed.map(({ value, at }) => ({ value, at })).sort((a, b) => a.at - b.at);
}
