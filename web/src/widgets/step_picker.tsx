// Limits tables and flame graphs to one step.
import type { Step } from "@protocol/messages";
import { formatNs } from "../base/format";
import { shownOf, useAnswer } from "../model/answers";
import { chooseStep, chosenStep } from "../model/app";

export function StepPicker({ trace, all = "All steps" }: { readonly trace: string; readonly all?: string }) {
  const steps: readonly Step[] = shownOf(useAnswer("overview", { trace }))?.steps ?? [];
  if (steps.length === 0) return undefined;
  const chosen = chosenStep.value;
  return (
    <select
      aria-label="Step"
      value={chosen === undefined ? "" : String(chosen)}
      onChange={(event) => chooseStep(event.currentTarget.value === "" ? undefined : Number(event.currentTarget.value))}
    >
      <option value="">{all}</option>
      {steps.map(({ number, start_ns, end_ns }) => (
        <option key={number} value={String(number)}>
          Step {number} · {formatNs(end_ns - start_ns)}
        </option>
      ))}
    </select>
  );
}
