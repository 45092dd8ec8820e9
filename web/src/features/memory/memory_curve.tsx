// The curve of memory over time: drag to look closer, arrow keys to read it point by point.
import type { MemoryCurve as Curve, Step } from "@protocol/messages";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatBytes, formatNs } from "../../base/format";
import { hasReserved, MemoryChart, type MemoryPoint } from "./draw/memory_chart";
import { host } from "../../model/page_host";
import "./memory_curve.css";

interface MemoryCurveProps {
  readonly curve: Curve;
  readonly steps: readonly Step[];
  readonly listed_ns: number | undefined; // the moment of which the page tells what was alive
  readonly onSelect: (start_ns: number, end_ns: number) => void;
}

export function MemoryCurve({ curve, steps, listed_ns, onSelect }: MemoryCurveProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<MemoryChart | undefined>(undefined);
  const [point, setPoint] = useState<MemoryPoint | undefined>(undefined);
  const theme = host.theme.value;
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const made = new MemoryChart(element, { curve, steps, listed_ns, onPoint: setPoint, onSelect });
    chart.current = made;
    const observer = new ResizeObserver(() => made.resize(element.clientWidth));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [curve, steps, listed_ns, theme]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    chart.current?.moveCursor(by * (event.shiftKey ? 20 : 1));
    event.preventDefault();
  };
  return (
    <figure class="memory-curve">
      <div
        ref={box}
        role="application"
        aria-roledescription="chart"
        aria-label="Memory over time: arrow keys read it, dragging looks closer"
        tabIndex={0}
        onKeyDown={onKeyDown}
      />
      <figcaption>
        <span class="memory-key">
          <i class="is-allocated" /> allocated, lowest to highest around each point
        </span>
        {hasReserved(curve) ? (
          <span class="memory-key">
            <i class="is-reserved" /> reserved by the allocator
          </span>
        ) : (
          <span>no memory that an allocator reserves was recorded</span>
        )}
        <span class="right" role="status">
          {point === undefined ? "Drag to look closer" : sayPoint(point)}
        </span>
      </figcaption>
    </figure>
  );
}

function sayPoint({ time_ns, low_bytes, high_bytes, reserved_bytes }: MemoryPoint): string {
  const allocated =
    low_bytes === high_bytes ? formatBytes(high_bytes) : `${formatBytes(low_bytes)} to ${formatBytes(high_bytes)}`;
  const reserved =
    reserved_bytes === undefined || reserved_bytes === 0 ? "" : `, reserved ${formatBytes(reserved_bytes)}`;
  return `at ${formatNs(time_ns)}: allocated ${allocated}${reserved}`;
}
