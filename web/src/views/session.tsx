import type { SessionViewProps } from "../model/view_def";

export function View({ hello }: SessionViewProps) {
  return <p>The session of {hello.session?.entry_point ?? hello.program} will stand here.</p>;
}
