// What is known of the segment or the line that is pointed at. There is one; it stands beside what it explains.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { colorOf } from "../../base/roles";
import { useLayoutEffect, useRef } from "preact/hooks";
import { placeTip } from "./model/tip_place";

interface Tip {
  readonly box: DOMRect;
  readonly side: "aside" | "below"; // of a segment, of a line
  readonly content: ComponentChildren;
}

export const tip = signal<Tip | undefined>(undefined);

export function TipLayer() {
  const shown = tip.value;
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const mine = element.current;
    if (mine === null || shown === undefined) return;
    const spot = placeTip(
      shown.box,
      { width: mine.offsetWidth, height: mine.offsetHeight },
      { width: innerWidth, height: innerHeight },
      shown.side === "below" ? ["below", "above"] : ["right", "left", "below", "above"],
    );
    mine.style.left = `${spot.left}px`;
    mine.style.top = `${spot.top}px`;
  }, [shown]);
  if (shown === undefined) return undefined;
  return (
    <div class="tip" role="tooltip" ref={element}>
      {shown.content}
    </div>
  );
}

interface TipRow {
  readonly name: string;
  readonly value: string;
  readonly word?: string; // a tone before the name
}

export function TipTable({
  title,
  detail,
  rows,
  ops,
  hint,
}: {
  readonly title: string;
  readonly detail: string;
  readonly rows: readonly TipRow[];
  readonly ops?: readonly TipRow[];
  readonly hint?: string; // what can be done with it
}) {
  return (
    <>
      <b>{title}</b>
      {detail !== "" && <p class="dim">{detail}</p>}
      <Rows rows={rows} />
      {ops !== undefined && ops.length > 0 && (
        <>
          <p class="tip-heading dim">longest operators</p>
          <Rows rows={ops} />
        </>
      )}
      {hint !== undefined && hint !== "" && <p class="tip-heading dim">{hint}</p>}
    </>
  );
}

function Rows({ rows }: { readonly rows: readonly TipRow[] }) {
  return (
    <dl>
      {rows.map(({ name, value, word }) => (
        <div key={name}>
          <dt>
            {word !== undefined && <i class="tone" style={{ background: colorOf(word) }} />}
            {name}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
