// Name, what is open, and the way to every view.
import type { Hello, SessionAbout, TraceSummary } from "@protocol/messages";
import { hrefOf } from "../base/url_state";
import { chooseTrace } from "../model/app";
import { type ViewDef, whyEmpty } from "../model/view_def";

interface HeaderProps {
  readonly hello: Hello;
  readonly views: readonly ViewDef[];
  readonly shown: ViewDef | undefined;
  readonly trace: TraceSummary | undefined;
  readonly onHelp: () => void;
}

export function Header({ hello, views, shown, trace, onHelp }: HeaderProps) {
  const visible = views.filter(({ of }) => of === "session" || trace !== undefined);
  const members = visible.filter(({ group }) => group !== undefined && group === shown?.group);
  return (
    <header class="shell-header">
      <div class="shell-top">
        <b title={hello.program}>Skyline</b>
        <What hello={hello} trace={trace} />
        <nav aria-label="Views">
          {firstOfGroups(visible, trace).map((view) => (
            <ViewLink
              key={view.id}
              view={view}
              title={view.group ?? view.title}
              trace={trace}
              isShown={view.group === undefined ? view === shown : view.group === shown?.group}
            />
          ))}
          <button type="button" class="plain dim" title="Keys" aria-label="Show the keys" onClick={onHelp}>
            ?
          </button>
        </nav>
      </div>
      {members.length > 0 && (
        <nav class="shell-group" aria-label={shown?.group}>
          {members.map((view) => (
            <ViewLink key={view.id} view={view} title={view.title} trace={trace} isShown={view === shown} />
          ))}
        </nav>
      )}
    </header>
  );
}

// One per group: the first that has something to show.
function firstOfGroups(views: readonly ViewDef[], trace: TraceSummary | undefined): readonly ViewDef[] {
  return views.filter((view) => {
    if (view.group === undefined) return true;
    const members = views.filter(({ group }) => group === view.group);
    return view === (members.find((member) => whyEmpty(member, trace) === undefined) ?? members[0]);
  });
}

interface ViewLinkProps {
  readonly view: ViewDef;
  readonly title: string;
  readonly trace: TraceSummary | undefined;
  readonly isShown: boolean;
}

function ViewLink({ view, title, trace, isShown }: ViewLinkProps) {
  const why = whyEmpty(view, trace);
  return (
    <a
      href={hrefOf(view.id)}
      class={why === undefined ? "" : "is-empty"}
      data-tip={why}
      aria-current={isShown ? "page" : undefined}
    >
      {title}
    </a>
  );
}

/** "cnn/entry_point.py": the project's folder and the way from there. */
function insideProject({ entry_point, project }: SessionAbout): string {
  const root = project.replace(/\/+$/, "");
  if (!entry_point.startsWith(`${root}/`)) return entry_point;
  return entry_point.slice(root.lastIndexOf("/") + 1);
}

function What({ hello, trace }: { readonly hello: Hello; readonly trace: TraceSummary | undefined }) {
  const session = hello.session;
  if (session !== undefined) {
    return (
      <span class="what" title={session.entry_point}>
        {insideProject(session)}
      </span>
    );
  }
  if (trace === undefined) return undefined;
  if (hello.traces.length === 1) {
    return (
      <span class="what" title={trace.name}>
        {nameOf(trace)}
      </span>
    );
  }
  return (
    <select
      class="what"
      aria-label="Trace"
      value={trace.id}
      onChange={(event) => chooseTrace(event.currentTarget.value)}
    >
      {hello.traces.map((each) => (
        <option key={each.id} value={each.id}>
          {nameOf(each)}
        </option>
      ))}
    </select>
  );
}

function nameOf({ name, rank, world_size }: TraceSummary): string {
  if (rank < 0) return name;
  return `rank ${rank}${world_size > 0 ? ` of ${world_size}` : ""} · ${name}`;
}
