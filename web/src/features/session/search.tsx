// Finds a module or a line by a part of its name; `/` leads here.
import { useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatNs, formatShare } from "../../base/format";
import { setParams } from "../../base/url_state";
import { sumOf } from "../../model/breakdown/tree";
import { type Found, searchPlaces } from "./model/search";
import { breakdown, clock, costs, openScope } from "./model/store";
import { showLine } from "./session_source";
import "./search.css";

export function Search() {
  const text = useSignal("");
  const chosen = useSignal(0);
  const isOpen = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  const found = useComputed(() => searchPlaces(breakdown.value, costs.value, text.value, clock.value));
  const all = sumOf(breakdown.value?.modules[0]?.total[clock.value] ?? []);
  const shown = isOpen.value && text.value.trim() !== "";
  const take = (one: Found | undefined): void => {
    if (one === undefined) return;
    show(one);
    text.value = "";
    isOpen.value = false;
    field.current?.blur();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) chosen.value = Math.max(0, Math.min(found.value.length - 1, chosen.value + step));
    else if (event.key === "Enter") take(found.value[chosen.value]);
    else if (event.key === "Escape" && text.value !== "") text.value = "";
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="session-search" onFocusOut={() => (isOpen.value = false)}>
      <input
        type="search"
        ref={field}
        placeholder="Find   /"
        role="combobox"
        list={undefined}
        aria-label="Find a module or a line"
        aria-expanded={shown}
        aria-controls="session-found"
        aria-activedescendant={shown && found.value.length > 0 ? `session-found-${chosen.value}` : undefined}
        value={text.value}
        onFocus={() => (isOpen.value = true)}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          chosen.value = 0;
          isOpen.value = true;
        }}
        onKeyDown={onKeyDown}
      />
      {shown && (
        <ul class="session-found" id="session-found" role="listbox" aria-label="Found">
          {found.value.length === 0 && <li class="dim">No module and no line has this in its name.</li>}
          {found.value.map((one, i) => (
            <li
              key={`${one.kind} ${one.label}`}
              id={`session-found-${i}`}
              role="option"
              aria-selected={i === chosen.value}
              onPointerDown={(event) => {
                event.preventDefault(); // the field keeps the focus, and the list stays until the choice is made
                take(one);
              }}
            >
              <span class="session-found-name">{one.label}</span>
              <span class="dim session-found-name">{one.detail}</span>
              <span class="dim">
                {all > 0 && one.time > 0 ? `${formatShare(one.time / all)} · ${formatNs(one.time)}` : ""}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function show({ kind, node, place }: Found): void {
  if (kind === "module") {
    setParams({ by: "" });
    openScope(node);
  }
  if (place !== undefined) showLine(place);
}
