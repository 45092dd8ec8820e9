// What the session is doing, and for how many seconds: nobody waits for a word that stands still.
import { useEffect, useState } from "preact/hooks";
import { session } from "./model/store";

export function PhaseClock({ phase }: { readonly phase: string }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((Math.max(now, performance.now()) - session.value.phaseBegun) / 1000));
  return (
    <span class="phase-clock">
      {phase} · <span data-seconds={seconds}>{`${seconds}\u00a0s`}</span>
    </span>
  );
}
