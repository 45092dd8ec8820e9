// The frame around every view: name, what is open, navigation, keys, and what is wrong with the connection.
import type { Hello, TraceSummary } from "@protocol/messages";
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { busy } from "../base/idle";
import { route } from "../base/url_state";
import { client, hasMoved } from "../client/client";
import { chosenTrace, hello, helloTrouble } from "../model/app";
import { dispatchKey, useKeys } from "../model/keys";
import { host } from "../model/page_host";
import { type SessionViewProps, type TraceViewProps, type ViewDef, whyEmpty } from "../model/view_def";
import { Empty, Phase, Trouble } from "./answer";
import { Header } from "./header";
import { Help } from "./help";
import { Tooltip } from "./tooltip";
import { Unread } from "./unread";
import "./page.css";
import "./shell.css";

interface ShellProps {
  readonly viewsOf: (hello: Hello) => readonly ViewDef[];
}

export function Shell({ viewsOf }: ShellProps) {
  useEffect(() => {
    addEventListener("keydown", dispatchKey);
    return () => removeEventListener("keydown", dispatchKey);
  }, []);
  const [isHelpOpen, setHelpOpen] = useState(false);
  useKeys(
    [
      { keys: ["?"], what: "Show the keys", run: () => setHelpOpen(true) },
      { keys: ["/"], what: "Search", run: focusSearch },
      { keys: ["Escape"], what: "Back one step", run: leaveField },
    ],
    [],
  );
  const known = hello.value;
  if (known === undefined) return <BeforeHello />;
  const offered = viewsOf(known).filter(
    ({ doors, of }) => doors.includes(known.door) && (of !== "run" || known.traces.length > 1),
  );
  const shown = offered.find(({ id }) => id === route.value.view) ?? (route.value.view === "" ? offered[0] : undefined);
  const trace = chosenTrace.value;
  return (
    <>
      <Header hello={known} views={offered} shown={shown} trace={trace} onHelp={() => setHelpOpen(true)} />
      <ConnectionNotice />
      <main class="view" id="view" tabIndex={-1}>
        <Shown key={shown?.id ?? ""} view={shown} hello={known} trace={trace} />
      </main>
      <Tooltip />
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </>
  );
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}

function leaveField(): boolean {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) return false;
  field.blur();
  document.getElementById("view")?.focus();
  return true;
}

function BeforeHello() {
  const trouble = helloTrouble.value;
  if (trouble !== "") return <Trouble sentence={trouble} />;
  if (client.connection.value === "gone") {
    return (
      <Empty
        title="The server cannot be reached."
        sentence="Start it again with the same command, and open the address it prints. This page tries again by itself."
      />
    );
  }
  return <Phase text="Connecting to the server" />;
}

function ConnectionNotice() {
  if (client.connection.value !== "gone") return <div />;
  if (client.isRefused.value) {
    return (
      <div class="shell-notice" role="alert">
        Where this page came from, somebody answers who is not its server: open the address that your terminal shows.
        What you see here is what the server said last.
      </div>
    );
  }
  const command = hello.value?.command ?? "";
  return (
    <div class="shell-notice" role="alert">
      The server is gone; what you see is what it said last.{" "}
      {command !== "" && (
        <>
          Start it again with <code class="shell-command">{command}</code> <CopyCommand command={command} />{" "}
        </>
      )}
      The page connects again by itself.{" "}
      <button type="button" class="plain" onClick={() => client.retryNow()}>
        Try now
      </button>
    </div>
  );
}

function CopyCommand({ command }: { readonly command: string }) {
  const [said, setSaid] = useState("Copy");
  return (
    <button
      type="button"
      class="plain"
      onClick={() => void host.copyText(command).then((done) => setSaid(done.ok ? "Copied" : done.sentence))}
    >
      {said}
    </button>
  );
}

interface ShownProps {
  readonly view: ViewDef | undefined;
  readonly hello: Hello;
  readonly trace: TraceSummary | undefined;
}

type Loaded =
  | { readonly of: "trace"; readonly View: ComponentType<TraceViewProps> }
  | { readonly of: "session" | "run"; readonly View: ComponentType<SessionViewProps> };

function Shown({ view, hello, trace }: ShownProps) {
  const [loaded, setLoaded] = useState<Loaded | undefined>(undefined);
  const [trouble, setTrouble] = useState("");
  const why = view === undefined ? undefined : whyEmpty(view, trace);
  useEffect(() => {
    if (view === undefined || why !== undefined) return;
    void busy(load(view)).then(setLoaded, () => {
      if (hasMoved()) return location.reload();
      setTrouble(`The part of the page that shows “${view.title}” could not be loaded; reload the page.`);
    });
  }, [view, why]);
  useEffect(() => {
    document.title = view === undefined ? "Skyline" : `${view.title} · Skyline`;
  }, [view]);
  if (view === undefined) {
    return (
      <Empty title="There is no such view." sentence="The address names a view that this version does not have." />
    );
  }
  if (why !== undefined) return <Empty title={`${view.title}: nothing to show`} sentence={why} />;
  if (trouble !== "") return <Trouble sentence={trouble} />;
  if (loaded === undefined) return <Phase text="Loading the view" />;
  if (loaded.of !== "trace") return <loaded.View hello={hello} />;
  if (trace === undefined)
    return <Empty title="No trace yet" sentence="It appears here once the first profile is recorded." />;
  if (!trace.is_read) return <Unread key={trace.id} trace={trace} />;
  return <loaded.View hello={hello} trace={trace} />;
}

async function load(view: ViewDef): Promise<Loaded> {
  if (view.of === "trace") return { of: "trace", View: (await view.load()).View };
  return { of: view.of, View: (await view.load()).View };
}
