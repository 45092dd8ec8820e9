import { describe, expect, test } from "vitest";
import { fakePart, fakeTrack } from "./fake";
import { layOut } from "./layout";
import { type Look, wantedOf } from "./requests";
import { atRest } from "./wanted";

const camera = { startNs: 0, nsPerPx: 1 };
const look: Look = { camera, target: camera, hint: atRest, widthPx: 1000, scrollTop: 0, heightPx: 300 };
const tracks = Array.from({ length: 100 }, (_, id) => fakeTrack({ id, rows: 3 }));
const part = fakePart({ id: "a" }, tracks);
const layout = layOut([part], new Set());

describe("requests for tiles", () => {
  test("name only visible tracks, all of one place at once", () => {
    const { visible } = wantedOf("track", [part], layout, look);
    expect(visible).toEqual([{ trace: "a", level: 0, index: 0, rows: [0, 1, 2, 3, 4] }]);
  });

  test("tracks just outside of the view come after all that is visible", () => {
    const { ahead } = wantedOf("track", [part], layout, look);
    expect(ahead.at(-1)!.rows.length).toBeGreaterThan(5);
  });

  test("of counters go by their own ids", () => {
    const { visible } = wantedOf("counter", [part], layout, { ...look, scrollTop: layout.height - 300 });
    expect(visible).toEqual([{ trace: "a", level: 0, index: 0, rows: [0] }]);
  });

  test("where a flight ends is asked for first", () => {
    const target = { startNs: 0, nsPerPx: 8 };
    const { visible } = wantedOf("track", [part], layout, { ...look, target });
    expect(visible.map(({ level }) => level)).toEqual([3, 0]);
  });

  test("are in the trace's own time", () => {
    const late = fakePart({ id: "b", offset_ns: 5000 }, tracks);
    const layoutOfLate = layOut([late], new Set());
    const at = (startNs: number) =>
      wantedOf("track", [late], layoutOfLate, {
        ...look,
        camera: { startNs, nsPerPx: 1 },
        target: { startNs, nsPerPx: 1 },
      });
    expect(at(0).visible).toEqual([]);
    expect(at(5000).visible[0]).toMatchObject({ index: 0 });
  });
});
