// Which source files of a trace can be shown: those that it brings along, and those below --source-root.
import { shownOf, useAnswer } from "./answers";

/** Gives the path of a file that can be shown, by its path or by its name in tables; undefined: it cannot. */
export type FindFile = (file: string) => string | undefined;

export function useSourceFiles(trace: string): FindFile {
  const files = shownOf(useAnswer("sources", { trace }))?.files ?? [];
  return (file) => files.find(({ path, name, has_text }) => has_text && (path === file || name === file))?.path;
}
