// Rows of a table as they are scrolled into view. The server holds the whole table; here are the pages seen so far.
import type { Cell, ColumnDef, TableParams } from "@protocol/messages";
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { ok, type Result } from "../base/result";
import { ask } from "./answers";
import { generation } from "./app";

export type TableQuery = Omit<TableParams, "offset" | "limit">;
export type Row = readonly Cell[];
type Ask = typeof ask;

const pageRows = 200;
const mostRows = 10_000; // that the server gives at once

export class TableWindow {
  /** Changes when rows have come. */
  readonly version = signal(0);
  private readonly pages = new Map<number, readonly Row[]>();
  private readonly asked = new Set<number>();

  private constructor(
    readonly query: TableQuery,
    readonly columns: readonly ColumnDef[],
    readonly rowCount: number,
    readonly indentBy: string,
    private readonly askServer: Ask,
  ) {}

  /** With its first rows. */
  static async open(query: TableQuery, cancel?: AbortSignal, askServer: Ask = ask): Promise<Result<TableWindow>> {
    const result = await askServer("table", { ...query, offset: 0, limit: pageRows }, cancel);
    if (!result.ok) return result;
    const { columns, rows, row_count, indent_by } = result.value;
    const window = new TableWindow(query, columns, row_count, indent_by, askServer);
    window.pages.set(0, rows);
    window.asked.add(0);
    return ok(window);
  }

  /** Undefined: it is not here yet. */
  row(index: number): Row | undefined {
    return this.pages.get(Math.floor(index / pageRows))?.[index % pageRows];
  }

  /** All of them, if they are few; else undefined. */
  get wholeIfSmall(): readonly Row[] | undefined {
    return this.rowCount <= pageRows ? this.pages.get(0) : undefined;
  }

  /** Some, to judge how wide columns must be. */
  get firstRows(): readonly Row[] {
    return this.pages.get(0) ?? [];
  }

  /** Asks for those of these rows that are not here. */
  need(first: number, last: number): void {
    for (let page = Math.floor(first / pageRows); page <= Math.floor(last / pageRows); page += 1) {
      if (page * pageRows < this.rowCount && !this.asked.has(page)) void this.load(page);
    }
  }

  private async load(page: number): Promise<void> {
    this.asked.add(page);
    const result = await this.askServer("table", { ...this.query, offset: page * pageRows, limit: pageRows });
    if (result.ok) this.pages.set(page, result.value.rows);
    else this.asked.delete(page); // tried again when it is next looked at
    this.version.value += 1;
  }

  /** Every row, for copying. */
  async all(): Promise<Result<readonly Row[]>> {
    const rows: Row[] = [];
    while (rows.length < this.rowCount) {
      const result = await this.askServer("table", { ...this.query, offset: rows.length, limit: mostRows });
      if (!result.ok) return result;
      if (result.value.rows.length === 0) break;
      rows.push(...result.value.rows);
    }
    return ok(rows);
  }
}

export interface ShownTable {
  /** While another one is awaited, the one before. */
  readonly window: TableWindow | undefined;
  readonly isStale: boolean;
  readonly trouble: string;
}

export function useTableWindow(query: TableQuery): ShownTable {
  const key = `${generation.value} ${JSON.stringify(query)}`;
  const [seen, setSeen] = useState<{ key: string; result: Result<TableWindow> } | undefined>(undefined);
  useEffect(() => {
    const cancel = new AbortController();
    void TableWindow.open(query, cancel.signal).then((result) => {
      if (!cancel.signal.aborted) setSeen({ key, result });
    });
    return () => cancel.abort();
  }, [key]);
  const isStale = seen?.key !== key;
  const isSameTable = seen?.result.ok === true && seen.result.value.query.name === query.name;
  return {
    window: seen?.result.ok === true && isSameTable ? seen.result.value : undefined,
    isStale,
    trouble: seen?.result.ok === false && !isStale ? seen.result.sentence : "",
  };
}
