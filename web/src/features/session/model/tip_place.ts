// Where a tip stands: beside what it explains, never over it.

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const gap = 8; // to what is explained
const edge = 6; // to the window's

/** The first side with room of those that are named; if none has, the one where least of `about` is covered. */
export function placeTip(
  about: Box,
  tip: Size,
  window: Size,
  sides: readonly ("right" | "left" | "below" | "above")[],
): { readonly left: number; readonly top: number } {
  const middle = about.top + Math.min(about.bottom - about.top, 200) / 2 - tip.height / 2;
  const spots = sides.map((side) => {
    switch (side) {
      case "right":
        return { left: about.right + gap, top: middle };
      case "left":
        return { left: about.left - gap - tip.width, top: middle };
      case "below":
        return { left: about.left, top: about.bottom + gap };
      case "above":
        return { left: about.left, top: about.top - gap - tip.height };
    }
  });
  const inside = spots.map(({ left, top }) => ({
    left: clamp(left, window.width - tip.width),
    top: clamp(top, window.height - tip.height),
  }));
  const covered = inside.map((spot) => overlap(about, spot, tip));
  const best = covered.indexOf(Math.min(...covered));
  return inside[best] ?? { left: edge, top: edge };
}

function clamp(value: number, room: number): number {
  return Math.max(edge, Math.min(room - edge, value));
}

function overlap(about: Box, { left, top }: { readonly left: number; readonly top: number }, tip: Size): number {
  const wide = Math.min(about.right, left + tip.width) - Math.max(about.left, left);
  const high = Math.min(about.bottom, top + tip.height) - Math.max(about.top, top);
  return Math.max(0, wide) * Math.max(0, high);
}
