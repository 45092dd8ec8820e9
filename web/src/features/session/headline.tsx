// The sentence that answers first: how fast it is, what another batch size would give, or what is wrong and where.
import type { Trouble } from "@protocol/messages";
import type { ComponentChildren } from "preact";
import { assertUnreachable } from "../../base/result";
import { outlook, profileAgain, result, session, shownPath, stage } from "./model/store";
import { wishSentence } from "./model/words";
import { PhaseClock } from "./phase_clock";
import { showLine } from "./session_source";

export function Headline({ entryPoint }: { readonly entryPoint: string }) {
  const now = stage.value;
  switch (now.kind) {
    case "error":
    case "out_of_memory":
    case "crashed":
    case "cancelled":
      return <TroubleHeadline kind={now.kind} trouble={now.trouble} />;
    case "connecting":
      return <Sentence title="Connecting to the session" small="" />;
    case "starting":
      return <Sentence title={`Starting Python for ${entryPoint}`} small={<Waiting phase={now.phase} />} />;
    case "gone":
    case "profiling":
    case "unsaved":
    case "stale":
    case "ready":
    case "waiting":
    case "predicted":
    case "applied":
      return <Numbers entryPoint={entryPoint} />;
    default:
      return assertUnreachable(now);
  }
}

function Sentence({ title, small }: { readonly title: ComponentChildren; readonly small: ComponentChildren }) {
  return (
    <div class="session-say">
      <h1>{title}</h1>
      <p class="dim">{small}</p>
    </div>
  );
}

function Numbers({ entryPoint }: { readonly entryPoint: string }) {
  const known = result.value;
  const now = stage.value;
  if (known === undefined) {
    const phase =
      now.kind === "profiling" ? (
        <Waiting phase={now.phase} />
      ) : (
        "The first numbers appear here after the first profile."
      );
    return <Sentence title={`Profiling ${entryPoint}`} small={phase} />;
  }
  const [first = "", ...rest] = known.headline;
  const wished = outlook.value;
  if (wished === undefined) {
    const isFirst = !known.is_timed && now.kind === "profiling";
    return (
      <Sentence
        title={first}
        small={isFirst ? "A first number; it becomes better while the profile goes on." : rest.join(" ")}
      />
    );
  }
  const pieces = wishSentence(known, wished).map(({ text, isPredicted }) => (isPredicted ? <em>{text}</em> : text));
  const why = wished.isExtrapolated
    ? "This is beyond the batch sizes that were measured, so the band is a guess too. "
    : "";
  return <Sentence title={<>{pieces}</>} small={`${why}The columns still show batch ${known.batch_size}.`} />;
}

// Before there is a number, what Python says is of interest too.
function Waiting({ phase }: { readonly phase: string }) {
  const note = session.value.state?.data.note ?? "";
  return (
    <>
      <PhaseClock phase={phase} />
      {note !== "" && ` · ${note}`}
    </>
  );
}

const titles = {
  error: "The program does not run",
  out_of_memory: "Out of memory",
  crashed: "The program ended before it had a result",
  cancelled: "Cancelled",
} as const;

function TroubleHeadline({ kind, trouble }: { readonly kind: keyof typeof titles; readonly trouble: Trouble }) {
  const isBad = kind !== "cancelled";
  const hasOld = result.value !== undefined;
  return (
    <div class="session-say" role="alert">
      <h1>
        <span class={isBad ? "bad" : ""}>{titles[kind]}</span>
        {trouble.path !== "" && (
          <>
            {" "}
            <button
              type="button"
              class="plain session-place"
              data-tip="Show this line"
              onClick={() => showLine({ path: trouble.path, line: trouble.line })}
            >
              {shownPath(trouble.path)}
              {trouble.line > 0 ? `:${trouble.line}` : ""}
            </button>
          </>
        )}
      </h1>
      <p>
        {trouble.sentence}{" "}
        <span class="dim">{hasOld ? "Below are the numbers of the last profile that had some. " : ""}</span>
        {kind === "error" ? (
          <span class="dim">The next save is profiled by itself.</span>
        ) : (
          <button type="button" class="plain" onClick={() => void profileAgain()}>
            Profile again
          </button>
        )}
      </p>
    </div>
  );
}
