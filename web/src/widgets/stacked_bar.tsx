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

export function StackedBar({ label, parts, total, format }: StackedBarProps) {
  const shown = parts.filter(({ value }) => value > 0);
  const share = (value: number): number => (total > 0 ? value / total : 0);
  const tip = ({ name, definition, value }: BarPart): string =>
    tipText(`${name}: ${format(value)}, ${formatShare(share(value))} of ${format(total)}`, definition);
  return (
    <figure class="stacked" aria-label={label}>
      <div class="stacked-bar" aria-hidden="true">
        {shown.map((part) => (
          <div
            key={part.name}
            style={{ flexGrow: part.value, background: colorOf(part.name) }}
            data-tip={tip(part)}
          >
            <span>{share(part.value) > 0.08 ? part.name : ""}</span>
          </div>
        ))}
      </div>
      <ul class="stacked-legend">
        {shown.map((part) => (
          <li key={part.name} tabIndex={0} data-tip={tip(part)} data-part={part.name}>
            <i style={{ background: colorOf(part.name) }} aria-hidden="true" />
            {part.name} <b>{formatShare(share(part.value))}</b> <span class="dim">{format(part.value)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
