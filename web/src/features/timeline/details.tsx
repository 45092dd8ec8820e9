// What is known of the selected slice: figures, what it is linked to, where in the program it was called.
import type { Flow, FlowKind, Place, SliceDetails, SliceRef } from "@protocol/messages";
import { formatCount, formatNs } from "../../base/format";
import { roleOfKind } from "./draw/palette";
import { host } from "../../model/page_host";
import { placeOf } from "./model/places";
import type { TimelineStage } from "./stage";

const mostRefs = 40;

interface DetailsProps {
  readonly stage: TimelineStage;
  readonly details: SliceDetails;
  readonly trace: string;
}

export function Details({ stage, details, trace }: DetailsProps) {
  const { slice, self_ns, step, module } = details;
  const track = stage.store.partOf(trace)?.timeline.tracks.find(({ id }) => id === slice.track);
  return (
    <>
      <p class="timeline-title">{slice.name}</p>
      <dl>
        <Fact name="Duration" value={formatNs(slice.dur_ns)} what="End minus start" />
        <Fact name="Self" value={formatNs(self_ns)} what="Duration without what is nested inside it" />
        <Fact
          name="Start"
          value={formatNs(slice.start_ns)}
          what={`After the trace's start: ${formatCount(slice.start_ns)} ns`}
        />
        <Fact name="Category" value={slice.category} what="What kind of slice it is" />
        {step >= 0 && <Fact name="Step" value={formatCount(step)} what="The training step it is in" />}
        {track !== undefined && <Fact name="Track" value={track.name} what={track.process} />}
        {stage.store.parts.length > 1 && <Fact name="Trace" value={nameOfTrace(stage, trace)} what="" />}
        {module !== "" && <Fact name="Module" value={module} what="The module whose call it is part of" />}
      </dl>
      <Flows stage={stage} flows={details.flows} trace={trace} />
      <Refs stage={stage} title="Enclosed by" refs={details.parents} trace={trace} />
      <Stack stack={details.stack} />
      {details.args.length > 0 && (
        <>
          <h2>Args</h2>
          <dl>
            {details.args.map(({ name, value }) => (
              <Fact key={name} name={name} value={value} what="" />
            ))}
          </dl>
        </>
      )}
    </>
  );
}

function Fact({ name, value, what }: { readonly name: string; readonly value: string; readonly what: string }) {
  return (
    <>
      <dt title={what}>{name}</dt>
      <dd title={what}>{value}</dd>
    </>
  );
}

const flowWords: Readonly<Record<FlowKind, string>> = {
  op: "Called by",
  launch: "Launched by",
  activity: "Runs on the device",
  forward: "Its forward",
  backward: "Its backward",
};

function Flows({
  stage,
  flows,
  trace,
}: {
  readonly stage: TimelineStage;
  readonly flows: readonly Flow[];
  readonly trace: string;
}) {
  const kinds = (Object.keys(flowWords) as FlowKind[]).filter((kind) => flows.some((flow) => flow.kind === kind));
  const isOp = !flows.some(({ kind }) => kind === "op");
  return (
    <>
      {kinds.map((kind) => (
        <Refs
          key={kind}
          stage={stage}
          title={kind === "launch" && isOp ? "Launches" : flowWords[kind]}
          refs={flows.filter((flow) => flow.kind === kind).map(({ slice }) => slice)}
          trace={trace}
        />
      ))}
    </>
  );
}

interface RefsProps {
  readonly stage: TimelineStage;
  readonly title: string;
  readonly refs: readonly SliceRef[];
  readonly trace: string;
}

function Refs({ stage, title, refs, trace }: RefsProps) {
  if (refs.length === 0) return undefined;
  const go = (ref: SliceRef): void => {
    stage.store.select(placeOf(trace, ref));
    stage.reveal(placeOf(trace, ref));
  };
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {refs.slice(0, mostRefs).map((ref) => (
          <li key={ref.slice}>
            <button type="button" class="plain" title={ref.name} onClick={() => go(ref)}>
              <Swatch kind={ref.kind} />
              {ref.name}
            </button>
            <small>{formatNs(ref.dur_ns)}</small>
          </li>
        ))}
      </ul>
      {refs.length > mostRefs && <p class="dim">and {formatCount(refs.length - mostRefs)} more</p>}
    </>
  );
}

function Stack({ stack }: { readonly stack: readonly Place[] }) {
  if (stack.length === 0) return undefined;
  return (
    <>
      <h2 title="Where the program was when it began; the innermost call first">Python stack</h2>
      <ul>
        {[...stack].reverse().map(({ file, line, function: called }, i) => (
          <li key={i}>
            <button type="button" class="plain" title={`${file}:${line}`} onClick={() => host.openFile(file, line)}>
              {called}
            </button>
            <small>
              {file.split("/").at(-1)}:{line}
            </small>
          </li>
        ))}
      </ul>
    </>
  );
}

export function Swatch({ kind }: { readonly kind: string }) {
  return <i class="timeline-swatch" style={{ background: `var(--${roleOfKind(kind)})` }} />;
}

export function nameOfTrace(stage: TimelineStage, trace: string): string {
  const summary = stage.store.partOf(trace)?.summary;
  return summary === undefined ? trace : summary.rank >= 0 ? `rank ${summary.rank}` : summary.name;
}
