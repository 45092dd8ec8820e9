// What stands where an answer is awaited or failed: a phase, or the sentence why.
import type { ComponentChildren } from "preact";
import { client } from "../client/client";
import { type AnswerState, shownOf } from "../model/answers";

export interface AnsweredProps<T> {
  readonly answer: AnswerState<T>;
  readonly phase: string; // "Adding up operators"
  readonly children: (value: T, isStale: boolean) => ComponentChildren;
}

export function Answered<T>({ answer, phase, children }: AnsweredProps<T>) {
  if (answer.state === "failed") return <Trouble sentence={answer.sentence} />;
  const shown = shownOf(answer);
  if (shown === undefined) return <Phase text={phase} />;
  return <>{children(shown, answer.state === "waiting")}</>;
}

/** What is being done; appears only if it lasts, so that quick answers do not flicker. */
export function Phase({ text }: { readonly text: string }) {
  const isGone = client.connection.value === "gone";
  return (
    <p class="phase dim" role="status">
      {isGone ? "Waiting for the server" : text} …
    </p>
  );
}

export function Trouble({ sentence }: { readonly sentence: string }) {
  return (
    <div class="empty" role="alert">
      <p class="bad">{sentence}</p>
    </div>
  );
}

/** Nothing to show: why, and what to do about it. */
export function Empty({ title, sentence }: { readonly title: string; readonly sentence: string }) {
  return (
    <div class="empty" role="note">
      <h1>{title}</h1>
      <p class="dim">
        <Words text={sentence} />
      </p>
    </div>
  );
}

/** Text in which `code` stands between backticks. */
export function Words({ text }: { readonly text: string }) {
  return <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}
