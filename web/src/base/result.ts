/** What a step gives that may fail because of the world, not because of us; the sentence is for the user. */
export type Result<T> = Ok<T> | Failure;

export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Failure {
  readonly ok: false;
  readonly sentence: string;
}

export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

export function failure(sentence: string): Failure {
  return { ok: false, sentence };
}

/** The end of a switch over a union: a member that is forgotten does not compile. */
export function assertUnreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

/** For what we know and the compiler cannot. */
export function check<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`missing: ${what}`);
  return value;
}
