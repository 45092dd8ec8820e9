// What the timeline keeps in the address, so that a link shows the same again. Times are whole nanoseconds.

export interface SliceAddress {
  readonly trace: string;
  readonly slice: number;
}

export interface TimelineAddress {
  readonly startNs: number | undefined; // both or none: all is shown
  readonly endNs: number | undefined;
  readonly scroll: number;
  readonly selected: SliceAddress | undefined;
  readonly search: string;
  readonly range: readonly [number, number] | undefined;
  readonly marks: readonly number[];
  readonly folds: readonly string[];
  readonly isAlone: boolean; // only the chosen trace, without those that ran beside it
}

type Params = Readonly<Record<string, string>>;

const whole = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?\d{1,16}$/.test(text) ? Number(text) : undefined;

export function readAddress(params: Params): TimelineAddress {
  const startNs = whole(params["start"]);
  const endNs = whole(params["end"]);
  const isView = startNs !== undefined && endNs !== undefined && startNs < endNs;
  const [rangeStart, rangeEnd] = (params["range"] ?? "").split("_").map(whole);
  const isRange = rangeStart !== undefined && rangeEnd !== undefined && rangeStart < rangeEnd;
  return {
    startNs: isView ? startNs : undefined,
    endNs: isView ? endNs : undefined,
    scroll: whole(params["y"]) ?? 0,
    selected: readSlice(params["slice"] ?? ""),
    search: params["find"] ?? "",
    range: isRange ? [rangeStart, rangeEnd] : undefined,
    marks: (params["marks"] ?? "")
      .split("_")
      .map(whole)
      .filter((mark) => mark !== undefined),
    folds: (params["fold"] ?? "").split("|").filter((fold) => fold !== ""),
    isAlone: params["alone"] === "1",
  };
}

function readSlice(text: string): SliceAddress | undefined {
  const cut = text.indexOf("@");
  const slice = whole(text.slice(0, Math.max(0, cut)));
  return slice === undefined ? undefined : { slice, trace: text.slice(cut + 1) };
}

/** Empty texts take a param away. */
export function writeAddress(address: TimelineAddress): Record<string, string> {
  const { startNs, endNs, scroll, selected, search, range, marks, folds, isAlone } = address;
  return {
    start: startNs === undefined ? "" : String(Math.floor(startNs)),
    end: endNs === undefined ? "" : String(Math.ceil(endNs)),
    y: scroll === 0 ? "" : String(Math.round(scroll)),
    slice: selected === undefined ? "" : `${selected.slice}@${selected.trace}`,
    find: search,
    range: range === undefined ? "" : `${Math.round(range[0])}_${Math.round(range[1])}`,
    marks: marks.map(Math.round).join("_"),
    fold: folds.join("|"),
    alone: isAlone ? "1" : "",
  };
}
