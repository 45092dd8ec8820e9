// Named figures, grouped by the first part of their names, each with its definition.
import type { Figure } from "@protocol/messages";
import { formatCell } from "../../base/format";
import { tipText } from "../../widgets/tooltip";
import "./figures.css";

const titles: Readonly<Record<string, string>> = {
  device: "Device",
  hta: "By HTA's definitions",
  tracelens: "By TraceLens' definitions",
};

export interface FigureGroup {
  readonly prefix: string;
  readonly figures: readonly Figure[];
}

/** In the order of their first figure. */
export function groupsOf(figures: readonly Figure[]): readonly FigureGroup[] {
  const groups = new Map<string, Figure[]>();
  for (const figure of figures) {
    const prefix = figure.name.split(".")[0] ?? "";
    groups.set(prefix, [...(groups.get(prefix) ?? []), figure]);
  }
  return [...groups].map(([prefix, members]) => ({ prefix, figures: members }));
}

function sentenceCase(words: string): string {
  const text = words.replaceAll("_", " ").replaceAll(".", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// Figures of a device that was not recorded are all zero, which says nothing.
const ofDevices = ["device", "tracelens", "hta"];

export function Figures({ figures, hasDevice }: { readonly figures: readonly Figure[]; readonly hasDevice: boolean }) {
  const groups = groupsOf(figures.filter(({ value }) => value !== undefined)).filter(
    ({ prefix }) => hasDevice || !ofDevices.includes(prefix),
  );
  const unknown = groupsOf(figures.filter(({ value }) => value === undefined));
  return (
    <>
      <div class="figures">
        {groups.map(({ prefix, figures: members }) => (
          <div class="figures-group" key={prefix}>
            <h3>{titles[prefix] ?? sentenceCase(prefix)}</h3>
            <dl>
              {members.map((figure) => (
                <FigureLine key={figure.name} figure={figure} />
              ))}
            </dl>
          </div>
        ))}
      </div>
      {!hasDevice && (
        <p class="dim">No device activities: a run without a device, or recorded without its activities.</p>
      )}
      {unknown.length > 0 && (
        <p class="dim figures-unknown">
          Not known of this trace:{" "}
          {unknown.map(({ prefix, figures: members }, at) => (
            <>
              {at > 0 && ", "}
              <span tabIndex={0} data-tip={tipText(prefix, ...members.map(({ name }) => name))}>
                {members.length} of {prefix}
              </span>
            </>
          ))}
        </p>
      )}
    </>
  );
}

function FigureLine({ figure: { name, unit, value, definition } }: { readonly figure: Figure }) {
  const label = sentenceCase(name.split(".").slice(1).join("."));
  return (
    <div tabIndex={0} data-figure={name} data-tip={tipText(name, definition)}>
      <dt>{label}</dt>
      <dd>
        {formatCell(value, unit)}
        {unit === "per_second" && <span class="dim"> /s</span>}
      </dd>
    </div>
  );
}
