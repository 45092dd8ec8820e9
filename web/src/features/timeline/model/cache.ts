// Tiles that were seen last, up to so many bytes: the page never holds the trace. Slices and counters have one each.

export interface TilePlace {
  readonly trace: string;
  readonly level: number;
  readonly index: number;
}

/** `row` is a track or a counter. */
export function tileKey(trace: string, level: number, index: number, row: number): string {
  return `${level}/${index}/${row}/${trace}`;
}

export class TileCache<T extends { readonly bytes: number }> {
  private readonly tiles = new Map<string, T>(); // in the order of last use
  private held = 0;

  constructor(private readonly mostBytes: number) {}

  get bytes(): number {
    return this.held;
  }

  get size(): number {
    return this.tiles.size;
  }

  has(key: string): boolean {
    return this.tiles.has(key);
  }

  /** The tile, which is now the last one to be forgotten. */
  get(key: string): T | undefined {
    const tile = this.tiles.get(key);
    if (tile === undefined) return undefined;
    this.tiles.delete(key);
    this.tiles.set(key, tile);
    return tile;
  }

  put(key: string, tile: T): void {
    this.held += tile.bytes - (this.tiles.get(key)?.bytes ?? 0);
    this.tiles.delete(key);
    this.tiles.set(key, tile);
    for (const [oldest, { bytes }] of this.tiles) {
      if (this.held <= this.mostBytes || oldest === key) break;
      this.tiles.delete(oldest);
      this.held -= bytes;
    }
  }

  clear(): void {
    this.tiles.clear();
    this.held = 0;
  }
}
