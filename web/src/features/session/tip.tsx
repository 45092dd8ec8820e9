// What is known of the segment or the line that is pointed at. There is one; it stands beside what it explains.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { colorOf } from "../../base/roles";
import { useLayoutEffect, useRef } from "preact/hooks";

interface Tip {
  readonly box: DOMRect;
  readonly side: "aside" | "below"; // aside: over the bars, so that nothing that belongs to it is covered
  readonly content: ComponentChildren;
}

export const tip = signal<Tip | undefined>(undefined);

export function TipLayer() {
  const shown = tip.value;
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const mine = element.current;
    if (mine === null || shown === undefined) return;
    const { box, side } = shown;
    const { offsetWidth: width, offsetHeight: height } = mine;
    const aside = document.querySelector(".session-side")?.getBoundingClientRect().left ?? 0;
    const left = side === "below" ? box.left + 120 : aside > box.right ? aside + 6 : box.right + 10;
    const below = box.bottom + 6;
    const top =
      side === "below"
        ? below + height < innerHeight
          ? below
          : box.top - height - 6
        : box.top + Math.min(box.height, 200) / 2 - height / 2;
    mine.style.left = `${Math.max(6, Math.min(innerWidth - width - 6, left))}px`;
    mine.style.top = `${Math.max(6, Math.min(innerHeight - height - 6, top))}px`;
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
}: {
  readonly title: string;
  readonly detail: string;
  readonly rows: readonly TipRow[];
  readonly ops?: readonly TipRow[];
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
