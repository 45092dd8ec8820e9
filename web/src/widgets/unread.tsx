// A trace that was not read yet: looking at it has it read.
import type { TraceSummary } from "@protocol/messages";
import { useEffect, useState } from "preact/hooks";
import { generation, openTrace } from "../model/app";
import { Phase, Trouble } from "./answer";

/** Stands where a view will be, until `trace` is read. */
export function Unread({ trace: { id, name } }: { readonly trace: TraceSummary }) {
  const [trouble, setTrouble] = useState("");
  const now = generation.value; // another connection may have more luck
  useEffect(() => {
    let isShown = true;
    setTrouble("");
    void openTrace(id).then((result) => {
      if (isShown && !result.ok) setTrouble(result.sentence);
    });
    return () => {
      isShown = false;
    };
  }, [id, now]);
  return trouble === "" ? <Phase text={`Reading ${name}`} /> : <Trouble sentence={trouble} />;
}
