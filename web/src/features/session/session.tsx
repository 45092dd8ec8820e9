// The live session: a sentence, the code, two columns and two bars. Whatever is pointed at in one of them is shown in
// the others.
import { useEffect } from "preact/hooks";
import { host } from "../../model/page_host";
import { useKeys } from "../../model/keys";
import {
  applyWish,
  dispatch,
  focus,
  goUp,
  memory,
  breakdown,
  profileAgain,
  result,
  session,
  shownPath,
  stage,
  startSession,
} from "./model/store";
import { isOutdated } from "./model/state";
import type { SessionViewProps } from "../../model/view_def";
import { Columns } from "./columns";
import { Headline } from "./headline";
import { Side } from "./side";
import { SessionSource } from "./session_source";
import { Status } from "./status";
import { tip, TipLayer } from "./tip";
import "./session.css";

export function View({ hello }: SessionViewProps) {
  startSession();
  useEffect(
    () => () => {
      tip.value = undefined;
      focus.value = undefined;
    },
    [],
  );
  useKeys(
    [
      { keys: ["Escape"], what: "Drop the prediction, or go up one step", run: goBack },
      { keys: ["Backspace"], what: "Go up one step", run: goUp },
      { keys: ["Enter"], what: "Open a segment; apply the batch size", run: apply },
      { keys: ["ArrowUp", "ArrowDown"], what: "In a column: the next segment", run: () => false },
      { keys: ["r"], what: "Profile again", run: again },
      {
        keys: ["ArrowLeft", "ArrowRight"],
        what: "On a bar: another batch size; with Shift by a tenth",
        run: () => false,
      },
    ],
    [],
  );
  const data = session.value;
  const now = stage.value;
  const isOld = isOutdated(data);
  const known = result.value;
  return (
    <div
      class={`session is-${host.kind}`}
      data-state={now.kind}
      data-save={data.state?.epoch === data.epoch ? data.state.data.save : 0}
      data-result={known?.save ?? 0}
      data-batch={known?.batch_size ?? 0}
      data-complete={known?.is_complete ?? false}
      data-wish={data.wish?.batchSize ?? 0}
      data-outdated={isOld}
    >
      <Headline entryPoint={shownPath(hello.session?.entry_point ?? "the program")} />
      <div class="session-main" inert={now.kind === "unsaved"}>
        {host.kind !== "editor" && <SessionSource />}
        <Columns
          isOutdated={
            isOld ||
            isOlder(breakdown.value && data.breakdown?.data.save) ||
            isOlder(memory.value && data.memory?.data.save)
          }
        />
        <Side isOutdated={isOld} />
      </div>
      <Status />
      <TipLayer />
    </div>
  );
}

// Whether something is of a save before the newest number's.
function isOlder(save: number | undefined): boolean {
  return save !== undefined && save < (result.value?.save ?? 0);
}

// While a profile runs there is nothing to be done again.
function again(): boolean {
  if (stage.peek().kind !== "ready" && !("trouble" in stage.peek()) && stage.peek().kind !== "stale") return false;
  void profileAgain();
  return true;
}

function goBack(): boolean {
  const { wish } = session.peek();
  if (wish !== undefined && !wish.isApplied) {
    dispatch({ kind: "revert" });
    return true;
  }
  return goUp();
}

// Enter on a button is that button's.
function apply(event: KeyboardEvent): boolean {
  const { wish } = session.peek();
  const isOnButton = event.target instanceof HTMLElement && event.target.closest("button, a, select") !== null;
  if (wish === undefined || wish.isApplied || isOnButton) return false;
  void applyWish();
  return true;
}
