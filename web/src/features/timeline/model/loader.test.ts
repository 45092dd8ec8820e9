import { describe, expect, test } from "vitest";
import { failure, ok, type Result } from "../../../base/result";
import { TileCache, tileKey } from "./cache";
import { TileLoader, type TileRequest } from "./loader";

interface Tile {
  readonly bytes: number;
}

function makeLoader() {
  const asked: TileRequest[] = [];
  const answers: ((result: Result<ArrayBuffer>) => void)[] = [];
  const cache = new TileCache<Tile>(1e6);
  const failures: string[] = [];
  const loader = new TileLoader<Tile>({
    load: (request) => {
      asked.push(request);
      return new Promise((resolve) => answers.push(resolve));
    },
    decode: () => [{ bytes: 1 }, { bytes: 2 }],
    cache,
    arrived: () => undefined,
    failed: (sentence) => failures.push(sentence),
  });
  return { asked, answers, cache, failures, loader };
}

const at = (index: number, rows: readonly number[] = [0, 1]): TileRequest => ({ trace: "t", level: 3, index, rows });
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

describe("the loader of tiles", () => {
  test("asks once for what is under way or known, and only for the rows that are missing", async () => {
    const { asked, answers, cache, loader } = makeLoader();
    loader.want({ visible: [at(1)], ahead: [] });
    loader.want({ visible: [at(1)], ahead: [at(1)] });
    expect(asked).toEqual([at(1)]);
    answers[0]!(ok(new ArrayBuffer(0)));
    await settled();
    expect(cache.get(tileKey("t", 3, 1, 1))).toEqual({ bytes: 2 });
    loader.want({ visible: [at(1, [0, 1, 7])], ahead: [] });
    expect(asked[1]).toEqual(at(1, [7]));
  });

  test("never lets what is only ahead take all places", () => {
    const { asked, loader } = makeLoader();
    loader.want({ visible: [], ahead: Array.from({ length: 20 }, (_, i) => at(i)) });
    expect(asked.length).toBe(3);
    loader.want({ visible: [at(100)], ahead: [] });
    expect(asked[3]).toEqual(at(100));
  });

  test("forgets what nobody wants any more", async () => {
    const { asked, answers, loader } = makeLoader();
    loader.want({ visible: Array.from({ length: 20 }, (_, i) => at(i)), ahead: [] });
    expect(asked.length).toBe(8);
    loader.want({ visible: [at(50)], ahead: [] });
    answers[0]!(ok(new ArrayBuffer(0)));
    await settled();
    expect(asked.slice(8)).toEqual([at(50)]);
  });

  test("tells of a failure and does not ask again at once", async () => {
    const { asked, answers, failures, loader } = makeLoader();
    loader.want({ visible: [at(1)], ahead: [] });
    answers[0]!(failure("No such trace."));
    await settled();
    loader.want({ visible: [at(1)], ahead: [] });
    expect(failures).toEqual(["No such trace."]);
    expect(asked.length).toBe(1);
  });
});
