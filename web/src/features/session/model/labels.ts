// Where labels stand beside a stacked column: each as near as possible to the middle of its segment, none over another.

export interface LabelSpot {
  readonly index: number; // of the segment
  readonly top: number;
}

interface Block {
  readonly members: readonly number[];
  readonly wish: number; // where its first label would like its top to be
}

/**
 * `heights` of the segments from the top on, in pixels. Where there is no room for all, the lowest segments go without.
 */
export function placeLabels(heights: readonly number[], labelHeight: number): LabelSpot[] {
  let whole = 0;
  const middles = heights.map((height) => {
    whole += height;
    return whole - height / 2;
  });
  const room = Math.floor(whole / labelHeight);
  const chosen = heights
    .map((height, index) => ({ height, index }))
    .sort((a, b) => b.height - a.height || a.index - b.index)
    .slice(0, Math.max(0, room))
    .map(({ index }) => index)
    .sort((a, b) => a - b);
  // Labels that would overlap become a block that moves as one; its place is the mean of what its members wish.
  const blocks: Block[] = [];
  for (const index of chosen) {
    let block: Block = { members: [index], wish: (middles[index] ?? 0) - labelHeight / 2 };
    for (;;) {
      const before = blocks[blocks.length - 1];
      if (
        before === undefined ||
        topOf(before, labelHeight, whole) + before.members.length * labelHeight <= topOf(block, labelHeight, whole)
      )
        break;
      blocks.pop();
      block = joined(before, block, labelHeight);
    }
    blocks.push(block);
  }
  return blocks.flatMap((block) => {
    const top = topOf(block, labelHeight, whole);
    return block.members.map((index, i) => ({ index, top: top + i * labelHeight }));
  });
}

function topOf(block: Block, labelHeight: number, whole: number): number {
  return Math.max(0, Math.min(whole - block.members.length * labelHeight, block.wish));
}

function joined(a: Block, b: Block, labelHeight: number): Block {
  const shifted = b.wish - a.members.length * labelHeight;
  const count = a.members.length + b.members.length;
  return {
    members: [...a.members, ...b.members],
    wish: (a.wish * a.members.length + shifted * b.members.length) / count,
  };
}
