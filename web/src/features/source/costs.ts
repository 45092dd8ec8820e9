// What a line costs, in words.
import { formatBytes, formatCounted, formatNs, formatShare } from "../../base/format";
import type { LineCost, Wholes } from "../../model/breakdown/lines";
import { fileName } from "../../model/breakdown/tree";

/** Lines of a tooltip; the first is its title. */
export function costLines(cost: LineCost, wholes: Wholes, phases: readonly string[]): string[] {
  const share = (ns: number): string => formatShare(wholes.time > 0 ? ns / wholes.time : 0);
  const bytes = wholes.bytes > 0 ? cost.bytes / wholes.bytes : 0;
  const parts = phases.flatMap((phase, i) =>
    (cost.phases[i] ?? 0) > 0 ? [`${phase.replaceAll("_", " ")} ${formatNs(cost.phases[i] ?? 0)}`] : [],
  );
  return [
    `${fileName(cost.file)}:${cost.line} ${cost.function}`,
    ...(cost.time > 0
      ? [
          `${formatNs(cost.ownTime)}, ${share(cost.ownTime)} of the step, its own`,
          `${formatNs(cost.time)}, ${share(cost.time)}, with the lines it calls: ${parts.join(", ")}`,
        ]
      : []),
    ...(cost.nearTime > 0 ? [`of it Python near this line, and not known in which: ${formatNs(cost.nearTime)}`] : []),
    ...(cost.elsewhereTime > 0 ? [`${formatNs(cost.elsewhereTime)} in workers and other threads meanwhile`] : []),
    ...(cost.calls > 0 ? [`${formatCounted(cost.calls, "operator", "operators")} called`] : []),
    ...(cost.bytes > 0 ? [`${formatBytes(cost.bytes)} alive at the peak, ${formatShare(bytes)} of it`] : []),
  ];
}
