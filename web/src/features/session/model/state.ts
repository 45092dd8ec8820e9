// What the page knows of a session, made from the server's events one after the other.
//
// Events come in any order of saves: a profile that was cut short may still report when its successor has begun.
// So everything carries the number of its save, and what is older than what is held is left out. A server that was
// started again counts its saves from 1; therefore numbers are only compared within one connection.
import type { SessionBreakdown, SessionMemory, SessionResult, SessionState, Trouble } from "@protocol/messages";

export type Connection = "connecting" | "open" | "lost";

/** Something that was heard, and in which connection. */
export interface Heard<T> {
  readonly epoch: number;
  readonly data: T;
}

/** A batch size that was asked for, but is not in the file yet. */
export interface Wish {
  readonly save: number;
  readonly batchSize: number;
  readonly isApplied: boolean;
}

/** When things of one save were first heard, by the page's clock in milliseconds. */
export interface SaveTimes {
  readonly save: number;
  readonly begun: number;
  readonly first: number | undefined;
  readonly complete: number | undefined;
}

export interface SessionData {
  readonly connection: Connection;
  readonly epoch: number;
  readonly state: Heard<SessionState> | undefined;
  readonly result: Heard<SessionResult> | undefined;
  readonly breakdown: Heard<SessionBreakdown> | undefined;
  readonly memory: Heard<SessionMemory> | undefined;
  readonly wish: Wish | undefined;
  readonly times: SaveTimes | undefined;
  /** When the phase that runs began, by the page's clock in milliseconds. */
  readonly phaseBegun: number;
}

export type SessionAction =
  | { readonly kind: "connected" }
  | { readonly kind: "disconnected" }
  | { readonly kind: "session"; readonly data: SessionState; readonly now: number }
  | { readonly kind: "result"; readonly data: SessionResult; readonly now: number }
  | { readonly kind: "breakdown"; readonly data: SessionBreakdown }
  | { readonly kind: "memory"; readonly data: SessionMemory }
  | { readonly kind: "wish"; readonly batchSize: number }
  | { readonly kind: "applied" }
  | { readonly kind: "revert" };

export const noSession: SessionData = {
  connection: "connecting",
  epoch: 0,
  state: undefined,
  result: undefined,
  breakdown: undefined,
  memory: undefined,
  wish: undefined,
  times: undefined,
  phaseBegun: 0,
};

export function reduceSession(session: SessionData, action: SessionAction): SessionData {
  switch (action.kind) {
    case "connected":
      return { ...session, connection: "open", epoch: session.epoch + 1, wish: undefined, times: undefined };
    case "disconnected":
      return { ...session, connection: session.epoch === 0 ? "connecting" : "lost", wish: undefined };
    case "session":
      return hearState(session, action.data, action.now);
    case "result":
      return hearResult(session, action.data, action.now);
    case "breakdown":
      return hearBreakdown(session, action.data);
    case "memory":
      return hearMemory(session, action.data);
    case "wish":
      return wish(session, action.batchSize);
    case "applied":
      return session.wish === undefined ? session : { ...session, wish: { ...session.wish, isApplied: true } };
    case "revert":
      return session.wish?.isApplied === true ? session : { ...session, wish: undefined };
  }
}

function heard<T>(session: SessionData, data: T): Heard<T> {
  return { epoch: session.epoch, data };
}

function isNews<T extends { readonly save: number }>(
  session: SessionData,
  held: Heard<T> | undefined,
  data: T,
): boolean {
  return held === undefined || held.epoch !== session.epoch || data.save >= held.data.save;
}

// Every hello is answered with all that was said before; what is already known must not be worked through again.

function hearBreakdown(session: SessionData, data: SessionBreakdown): SessionData {
  const held = session.breakdown;
  const isKnown =
    isSameSave(session, held, data) &&
    held.data.breakdown.start_ns === data.breakdown.start_ns &&
    held.data.breakdown.end_ns === data.breakdown.end_ns;
  return isKnown || !isNews(session, held, data) ? session : { ...session, breakdown: heard(session, data) };
}

function hearMemory(session: SessionData, data: SessionMemory): SessionData {
  const held = session.memory;
  const isKnown =
    isSameSave(session, held, data) &&
    held.data.memory.time_ns === data.memory.time_ns &&
    held.data.memory.peak_bytes === data.memory.peak_bytes;
  return isKnown || !isNews(session, held, data) ? session : { ...session, memory: heard(session, data) };
}

function isSameSave<T extends { readonly save: number }>(
  session: SessionData,
  held: Heard<T> | undefined,
  data: T,
): held is Heard<T> {
  return held !== undefined && held.epoch === session.epoch && held.data.save === data.save;
}

function hearState(session: SessionData, data: SessionState, now: number): SessionData {
  if (!isNews(session, session.state, data)) return session;
  const isNewSave = session.state?.epoch !== session.epoch || session.state.data.save !== data.save;
  // Only a save whose beginning was seen can be timed; one that is heard of when it is over cannot.
  const times = isNewSave
    ? data.state === "profiling"
      ? { save: data.save, begun: now, first: undefined, complete: undefined }
      : undefined
    : session.times;
  const keepsWish = session.wish !== undefined && data.trouble === undefined && !data.is_unsaved;
  return {
    ...session,
    state: heard(session, data),
    times,
    wish: keepsWish ? session.wish : undefined,
    phaseBegun: phaseBegun(session, data, now),
  };
}

// Messages take their time, the first one of a connection may be old: the earliest beginning that was heard of counts.
function phaseBegun(session: SessionData, data: SessionState, now: number): number {
  const before = session.state;
  const isSame =
    before?.epoch === session.epoch &&
    before.data.save === data.save &&
    before.data.state === data.state &&
    before.data.phase === data.phase;
  const begun = now - data.phase_ms;
  return isSame ? Math.min(session.phaseBegun, begun) : begun;
}

function hearResult(session: SessionData, data: SessionResult, now: number): SessionData {
  // A profile that has no number yet does not take away the one before it.
  if (!isNews(session, session.result, data) || data.samples_per_second <= 0) return session;
  const held = session.result;
  if (isSameSave(session, held, data) && held.data.is_complete && !data.is_complete) return session;
  let times = session.times;
  if (times !== undefined && times.save === data.save) {
    times = { ...times, first: times.first ?? now, complete: times.complete ?? (data.is_complete ? now : undefined) };
  }
  const keepsWish = session.wish !== undefined && session.wish.save >= data.save;
  return { ...session, result: heard(session, data), times, wish: keepsWish ? session.wish : undefined };
}

function wish(session: SessionData, batchSize: number): SessionData {
  const result = session.result?.data;
  if (result === undefined || session.wish?.isApplied === true || !canPredict(session)) return session;
  if (batchSize === result.batch_size) return { ...session, wish: undefined };
  return { ...session, wish: { save: result.save, batchSize, isApplied: false } };
}

/** Whether what is shown is of this server and of the files as they are. */
export function canPredict(session: SessionData): boolean {
  const { result, state } = session;
  if (session.connection !== "open" || result === undefined || result.epoch !== session.epoch) return false;
  if (state === undefined || state.data.is_unsaved || state.data.is_stale || state.data.trouble !== undefined)
    return false;
  return state.data.save === result.data.save;
}

/** What the session is doing, as one word with what belongs to it. */
export type Stage =
  | { readonly kind: "connecting" }
  | { readonly kind: "gone" }
  | {
      readonly kind: "starting" | "profiling";
      readonly phase: string;
      readonly fraction: number;
      readonly hasNumber: boolean;
    }
  | { readonly kind: "unsaved" | "stale" | "ready" | "waiting" }
  | { readonly kind: "predicted" | "applied"; readonly batchSize: number }
  | { readonly kind: "error" | "out_of_memory" | "crashed" | "cancelled"; readonly trouble: Trouble };

export function stageOf(session: SessionData): Stage {
  if (session.connection === "lost") return { kind: "gone" };
  const state = session.state?.epoch === session.epoch ? session.state.data : undefined;
  if (session.connection === "connecting" || state === undefined) return { kind: "connecting" };
  if (state.state === "starting") {
    return { kind: "starting", phase: state.phase, fraction: state.fraction, hasNumber: false };
  }
  if (state.is_unsaved) return { kind: "unsaved" };
  if (state.state === "profiling" && (session.wish === undefined || session.wish.isApplied)) {
    return { kind: "profiling", phase: state.phase, fraction: state.fraction, hasNumber: isOfThisSave(session) };
  }
  if (session.wish?.isApplied === true) return { kind: "applied", batchSize: session.wish.batchSize };
  if (state.trouble !== undefined) return { kind: stageOfTrouble(state.trouble), trouble: state.trouble };
  if (session.wish !== undefined) return { kind: "predicted", batchSize: session.wish.batchSize };
  if (state.is_stale) return { kind: "stale" };
  return { kind: session.result === undefined ? "waiting" : "ready" };
}

function stageOfTrouble(trouble: Trouble): "error" | "out_of_memory" | "crashed" | "cancelled" {
  switch (trouble.kind) {
    case "user_code":
    case "ours":
      return "error";
    case "out_of_memory":
      return "out_of_memory";
    case "interrupted":
      return "cancelled";
    case "ended":
    case "stuck":
    case "stalled":
      return "crashed";
  }
}

/** Whether the newest result belongs to the save that is being profiled. */
export function isOfThisSave(session: SessionData): boolean {
  const { result, state } = session;
  return (
    result !== undefined &&
    state !== undefined &&
    result.epoch === session.epoch &&
    state.epoch === session.epoch &&
    result.data.save === state.data.save
  );
}

/** Whether numbers are shown that belong to an older state of the files, or to a server that is gone. */
export function isOutdated(session: SessionData): boolean {
  if (session.result === undefined) return false;
  if (session.connection !== "open" || !isOfThisSave(session)) return true;
  const state = session.state?.data;
  return state?.is_unsaved === true || state?.is_stale === true;
}
