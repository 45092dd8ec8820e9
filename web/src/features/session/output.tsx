// What the script of the session has printed, when it is asked for.
import { useState } from "preact/hooks";
import { askOutput } from "./model/store";
import "./output.css";

interface Shown {
  readonly path: string;
  readonly text: string;
}

export function Output() {
  const [shown, setShown] = useState<Shown | undefined>(undefined);
  const toggle = async (): Promise<void> => {
    if (shown !== undefined) return setShown(undefined);
    const answer = await askOutput();
    if (!answer.ok) return setShown({ path: "", text: answer.sentence });
    const { path, text, is_cut } = answer.value;
    setShown({ path, text: `${is_cut ? "…" : ""}${text === "" ? "It has printed nothing." : text}` });
  };
  return (
    <div class="output">
      <button
        type="button"
        class="plain"
        aria-expanded={shown !== undefined}
        data-tip="What the script has printed"
        onClick={() => void toggle()}
      >
        output
      </button>
      {shown !== undefined && (
        <section class="output-text" aria-label="What the script has printed">
          <p class="dim">{shown.path}</p>
          <pre>{shown.text}</pre>
        </section>
      )}
    </div>
  );
}
