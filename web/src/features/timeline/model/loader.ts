// Asks for tiles: what is visible first, then what may become so. What is wanted is said anew for every frame, so
// nothing waits in a queue that nobody looks at any more.
import type { Result } from "../../../base/result";
import { type TileCache, tileKey } from "./cache";

/** Tiles of several rows (tracks or counters) at one place. */
export interface TileRequest {
  readonly trace: string;
  readonly level: number;
  readonly index: number;
  readonly rows: readonly number[];
}

export interface Wanted {
  readonly visible: readonly TileRequest[];
  readonly ahead: readonly TileRequest[]; // the likeliest first
}

export interface LoaderOptions<T> {
  readonly load: (request: TileRequest) => Promise<Result<ArrayBuffer>>;
  readonly decode: (frame: ArrayBuffer) => readonly T[]; // one per row, in their order
  readonly cache: TileCache<T & { readonly bytes: number }>;
  readonly arrived: () => void;
  readonly failed: (sentence: string) => void;
}

const mostUnderWay = 8;
const mostAheadUnderWay = 3; // so that a visible tile never waits long
const retryAfterMs = 2000;

export class TileLoader<T extends { readonly bytes: number }> {
  private readonly underWay = new Set<string>();
  private readonly refused = new Map<string, number>(); // until when not to ask again
  private requests = 0;
  private wanted: Wanted = { visible: [], ahead: [] };

  constructor(private readonly options: LoaderOptions<T>) {}

  get isBusy(): boolean {
    return this.requests > 0;
  }

  want(wanted: Wanted): void {
    this.wanted = wanted;
    this.pump();
  }

  private pump(): void {
    for (const request of this.wanted.visible) {
      if (this.requests >= mostUnderWay) return;
      this.ask(request);
    }
    for (const request of this.wanted.ahead) {
      if (this.requests >= mostAheadUnderWay) return;
      this.ask(request);
    }
  }

  private ask(request: TileRequest): void {
    const { trace, level, index } = request;
    const rows = request.rows.filter((row) => this.isMissing(tileKey(trace, level, index, row)));
    if (rows.length === 0) return;
    const keys = rows.map((row) => tileKey(trace, level, index, row));
    for (const key of keys) this.underWay.add(key);
    this.requests += 1;
    void this.options.load({ trace, level, index, rows }).then((answer) => {
      this.requests -= 1;
      for (const key of keys) this.underWay.delete(key);
      if (answer.ok) this.keep(keys, this.options.decode(answer.value));
      else this.refuse(keys, answer.sentence);
      this.pump();
    });
  }

  private isMissing(key: string): boolean {
    if (this.underWay.has(key) || this.options.cache.has(key)) return false;
    const until = this.refused.get(key);
    return until === undefined || until <= performance.now();
  }

  private keep(keys: readonly string[], tiles: readonly T[]): void {
    keys.forEach((key, i) => {
      const tile = tiles[i];
      if (tile !== undefined) this.options.cache.put(key, tile);
    });
    this.options.arrived();
  }

  private refuse(keys: readonly string[], sentence: string): void {
    const until = performance.now() + retryAfterMs;
    if (this.refused.size > 10_000) this.refused.clear();
    for (const key of keys) this.refused.set(key, until);
    this.options.failed(sentence);
  }
}
