// Binary answers: see protocol/README.md for their layout.

/** The request that a binary frame answers; ids are below 2^31, so the low half holds it. */
export function requestIdOf(frame: ArrayBuffer): number {
  return new DataView(frame).getUint32(0, true);
}
