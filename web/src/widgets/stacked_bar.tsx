// One bar whose parts add up, with what each is, how long and how much of the whole.
import { formatShare } from "../base/format";
import { colorOf } from "../base/roles";
import { tipText } from "./tooltip";
import "./stacked_bar.css";

export interface BarPart {
  readonly name: string;
  readonly definition: string;
  readonly value: number;
}

interface StackedBarProps {
  readonly label: string;
  readonly parts: readonly BarPart[];
  readonly total: number;
  readonly format: (value: number) => string;
}

// A guess is enough: what does not fit stands in the legend too.
function hasRoom(name: string, share: number): boolean {
  return share * 1100 > name.length * 8 + 20;
}

export function StackedBar({ label, parts, total, format }: StackedBarProps) {
  const shown = parts
    .filter(({ value }) => value > 0)
    .map((part) => ({ ...part, title: part.name.replaceAll("_", " ") }));
  const share = (value: number): number => (total > 0 ? value / total : 0);
  const tip = ({ title, definition, value }: (typeof shown)[number]): string =>
    tipText(`${title}: ${format(value)}, ${formatShare(share(value))} of ${format(total)}`, definition);
  return (
    <figure class="stacked" aria-label={label}>
      <div class="stacked-bar" aria-hidden="true">
        {shown.map((part) => (
          <div key={part.name} style={{ flexGrow: part.value, background: colorOf(part.name) }} data-tip={tip(part)}>
            <span>{hasRoom(part.title, share(part.value)) ? part.title : ""}</span>
          </div>
        ))}
      </div>
      <ul class="stacked-legend">
        {shown.map((part) => (
          <li key={part.name} tabIndex={0} data-tip={tip(part)} data-part={part.name}>
            <i style={{ background: colorOf(part.name) }} aria-hidden="true" />
            {part.title} <b>{formatShare(share(part.value))}</b> <span class="dim">{format(part.value)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
