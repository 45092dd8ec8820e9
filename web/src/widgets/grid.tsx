// A table of any length: only the rows in view are in the page, and the header stays. Rows have one height, so where
// each stands is known without measuring any; that is why this is not a library.
import type { Cell, ColumnDef } from "@protocol/messages";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatCell } from "../base/format";
import { ariaSort, columnsOf, nextSort, type ShownColumn, type ShownColumns } from "../model/table_columns";
import type { Row, TableWindow } from "../model/table_window";
import { tipText } from "./tooltip";
import "./grid.css";

export const rowHeight = 26; // --row of theme.css
const overscan = 8; // rows beyond the edges, so that scrolling shows no gap

/** A row's cell by its column's name. */
export type CellOf = (name: string) => Cell | undefined;

export interface GridProps {
  readonly window: TableWindow;
  readonly label: string;
  readonly sort: string;
  readonly isStale: boolean;
  readonly onSort: (sort: string) => void;
  /** Enter or double click on a row. */
  readonly onOpen?: (cellOf: CellOf) => void;
  /** Where a cell's text leads to; undefined: nowhere. */
  readonly linkOf?: (column: ColumnDef, cellOf: CellOf) => string | undefined;
}

export function Grid(props: GridProps) {
  const { window, sort, isStale } = props;
  const shown = useMemo(() => columnsOf(window), [window]);
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ first: 0, last: 60 });
  const [active, setActive] = useState(0);
  const template = shown.columns.map(({ least, share }) => `minmax(${least}ch, ${share}fr)`).join(" ");
  const least = shown.columns.reduce((sum, column) => sum + column.least, 0);
  void window.version.value; // follow rows as they come

  const look = (): void => {
    const element = box.current;
    if (element === null) return;
    const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - overscan);
    const last = Math.min(
      window.rowCount - 1,
      Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + overscan,
    );
    setRange((before) => (before.first === first && before.last === last ? before : { first, last }));
    window.need(first, last);
  };
  useLayoutEffect(() => {
    // Another order or filter begins at its top.
    if (box.current !== null) box.current.scrollTop = 0;
    setActive(0);
    look();
  }, [window]);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, [window]);

  const moveTo = (index: number): void => {
    const element = box.current;
    const to = Math.max(0, Math.min(window.rowCount - 1, index));
    setActive(to);
    if (element === null) return;
    const top = to * rowHeight;
    const room = element.clientHeight - rowHeight; // below the header
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + room) element.scrollTop = top + rowHeight - room;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== box.current) return;
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 2);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: window.rowCount - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) moveTo(to);
    else if (event.key === "Enter") open(active);
    else return;
    event.preventDefault();
  };
  const cellsOf =
    (row: Row): CellOf =>
    (name) =>
      row[window.columns.findIndex((each) => each.name === name)];
  const open = (index: number): void => {
    const row = window.row(index);
    if (row !== undefined) props.onOpen?.(cellsOf(row));
  };

  const rows = [];
  for (let index = range.first; index <= Math.min(range.last, window.rowCount - 1); index += 1) {
    rows.push(
      <GridRow
        key={index}
        index={index}
        row={window.row(index)}
        shown={shown}
        isActive={index === active}
        linkOf={props.linkOf === undefined ? undefined : (column, row) => props.linkOf?.(column, cellsOf(row))}
        onClick={() => setActive(index)}
        onOpen={() => open(index)}
      />,
    );
  }
  return (
    <div
      class={`grid${isStale ? " is-stale" : ""}`}
      role="grid"
      aria-label={props.label}
      aria-rowcount={window.rowCount + 1}
      aria-busy={isStale}
      aria-activedescendant={window.rowCount > 0 ? `row-${active}` : undefined}
      tabIndex={0}
      ref={box}
      style={{ "--columns": template, "--least": `${least}ch` }}
      onScroll={look}
      onKeyDown={onKeyDown}
    >
      <div class="grid-head" role="row" aria-rowindex={1}>
        {shown.columns.map(({ def, isText }) => (
          <Head key={def.name} def={def} isText={isText} sort={sort} onSort={props.onSort} />
        ))}
      </div>
      <div class="grid-body" role="rowgroup" style={{ height: `${window.rowCount * rowHeight}px` }}>
        {rows}
      </div>
    </div>
  );
}

interface HeadProps {
  readonly def: ColumnDef;
  readonly isText: boolean;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

function Head({ def, isText, sort, onSort }: HeadProps) {
  const sorted = ariaSort(def, sort);
  return (
    <div class={isText ? "" : "is-number"} role="columnheader" aria-sort={sorted}>
      <button type="button" data-tip={tipText(def.title, def.definition)} onClick={() => onSort(nextSort(def, sort))}>
        {def.title}
        {sorted !== "none" && <span aria-hidden="true">{sorted === "ascending" ? " ↑" : " ↓"}</span>}
      </button>
    </div>
  );
}

interface GridRowProps {
  readonly index: number;
  readonly row: Row | undefined;
  readonly shown: ShownColumns;
  readonly isActive: boolean;
  readonly linkOf: ((column: ColumnDef, row: Row) => string | undefined) | undefined;
  readonly onClick: () => void;
  readonly onOpen: () => void;
}

function GridRow({ index, row, shown, isActive, linkOf, onClick, onOpen }: GridRowProps) {
  const depth = Number(row?.[shown.depth] ?? 0);
  return (
    <div
      class={`grid-row${isActive ? " is-active" : ""}`}
      id={`row-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isActive}
      aria-level={shown.depth < 0 ? undefined : depth + 1}
      style={{ transform: `translateY(${index * rowHeight}px)` }}
      onClick={onClick}
      onDblClick={onOpen}
    >
      {row === undefined ? (
        <div class="dim" role="gridcell">
          …
        </div>
      ) : (
        shown.columns.map((column, at) => (
          <GridCell key={column.def.name} row={row} column={column} indent={at === 0 ? depth : 0} linkOf={linkOf} />
        ))
      )}
    </div>
  );
}

interface GridCellProps {
  readonly row: Row;
  readonly column: ShownColumn;
  readonly indent: number;
  readonly linkOf: ((column: ColumnDef, row: Row) => string | undefined) | undefined;
}

function GridCell({ row, column: { def, index, isText }, indent, linkOf }: GridCellProps) {
  const cell = row[index];
  const text = formatCell(cell, def.unit);
  const isStack = isText && def.name === "stack"; // its end is what tells rows apart
  const href = isText && text !== "" ? linkOf?.(def, row) : undefined;
  let content: ComponentChildren = href === undefined ? text : <a href={href}>{text}</a>;
  if (isStack) content = <bdi>{content}</bdi>;
  if (def.unit === "share" && typeof cell === "number") content = <ShareBar share={cell} text={text} />;
  return (
    <div
      class={isStack ? "is-stack" : isText ? "" : "is-number"}
      role="gridcell"
      data-column={def.name}
      title={isText && text.length > 20 ? text : undefined}
      style={indent > 0 ? { "--indent": `${Math.min(indent, 24) * 14}px` } : undefined}
    >
      {content}
    </div>
  );
}

function ShareBar({ share, text }: { readonly share: number; readonly text: string }) {
  return (
    <>
      <span class="grid-bar" aria-hidden="true">
        <i style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }} />
      </span>
      {text}
    </>
  );
}
