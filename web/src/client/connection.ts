// The one WebSocket between the page and its server. Requests carry ids, answers come in any order; when the
// connection breaks it is made again, and what was only a question is asked again.
import type { Events, Methods } from "@protocol/messages";
import { signal } from "@preact/signals";
import { begin } from "../base/idle";
import { assertUnreachable, failure, ok, type Result } from "../base/result";
import { requestIdOf } from "./frames";

export type MethodName = keyof Methods;
export type EventName = keyof Events;
export type Params<M extends MethodName> = Methods[M]["params"];
export type Answer<M extends MethodName> = Methods[M]["result"];

/** connecting: for the first time; gone: the connection broke and is tried again. */
export type ConnectionState = "connecting" | "open" | "gone";

/** The part of a WebSocket that is used, so that tests can bring their own. */
export interface Socket {
  binaryType: BinaryType;
  readonly readyState: number;
  onopen: ((event: Event) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  send(text: string): void;
  close(): void;
}

interface Pending {
  readonly method: MethodName;
  readonly text: string;
  readonly settle: (result: Result<unknown>) => void;
}

// Methods that do something: doing it twice is worse than telling that nobody knows whether it was done.
const acts: ReadonlySet<MethodName> = new Set(["apply", "profile_again", "cancel_profile", "unsaved"]);

const isOpen = 1; // WebSocket.OPEN
const firstDelay = 100; // ms
const longestDelay = 5000;

export class Client {
  /** What can be told about the connection. */
  readonly connection = signal<ConnectionState>("connecting");
  /** Whether a server answers that does not know this page's address: it was started anew, with another token. */
  readonly isRefused = signal(false);
  /** How often the connection was made; whoever keeps answers forgets them when it changes. */
  readonly connects = signal(0);

  private socket: Socket | undefined;
  private endFirst: () => void = () => undefined; // until the first attempt has ended, the page is not idle
  private nextId = 0;
  private delay = firstDelay;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly pending = new Map<number, Pending>();
  private readonly listeners = new Map<EventName, Set<(data: never) => void>>();

  /**
   * `askRefused` tells, after a failed attempt, whether somebody answers who will not have us; `findServer` is asked
   * before every attempt but the first, as the server may have been started anew.
   */
  constructor(
    private readonly makeSocket: () => Socket,
    private readonly askRefused: () => Promise<boolean> = async () => false,
    private readonly findServer?: () => Promise<"ready" | "nobody" | "stranger">,
  ) {}

  /** Connects, and from now on stays connected. */
  start(): void {
    this.endFirst = begin();
    this.connect();
  }

  /** Asks. A connection that breaks meanwhile is no failure of a question: it is asked again. */
  request<M extends MethodName>(method: M, params: Params<M>, cancel?: AbortSignal): Promise<Result<Answer<M>>> {
    const id = this.nextId;
    this.nextId = (this.nextId + 1) % 2 ** 31;
    const text = JSON.stringify({ id, method, params });
    const end = begin();
    return new Promise((resolve) => {
      const settle = (result: Result<unknown>): void => {
        this.pending.delete(id);
        end();
        resolve(result as Result<Answer<M>>);
      };
      cancel?.addEventListener("abort", () => settle(failure("No longer needed.")), { once: true });
      if (this.socket?.readyState === isOpen) {
        this.pending.set(id, { method, text, settle });
        this.socket.send(text);
      } else if (acts.has(method)) {
        settle(failure("The server cannot be reached; try again once it is back."));
      } else {
        this.pending.set(id, { method, text, settle }); // sent when the connection stands
      }
    });
  }

  /** Calls `handler` for every event of this name; call what it gives to stop that. */
  on<E extends EventName>(event: E, handler: (data: Events[E]) => void): () => void {
    const handlers = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, handlers);
    handlers.add(handler);
    return () => handlers.delete(handler);
  }

  /** Tries at once, without waiting for the next attempt. */
  retryNow(): void {
    if (this.connection.value === "gone" && this.retry !== undefined) this.again();
  }

  close(): void {
    clearTimeout(this.retry);
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
  }

  private again(): void {
    clearTimeout(this.retry);
    this.retry = undefined;
    if (this.findServer === undefined || this.connects.peek() === 0) return this.connect();
    void this.findServer().then((who) => {
      if (who === "ready") return this.connect();
      this.isRefused.value = who === "stranger";
      this.tryLater();
    });
  }

  private connect(): void {
    const socket = this.makeSocket();
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.opened(socket);
    };
    socket.onmessage = (message) => this.received(message.data);
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.lost();
      if (!wasOpen) void this.askRefused().then((isRefused) => (this.isRefused.value = isRefused));
    };
  }

  private opened(socket: Socket): void {
    this.delay = firstDelay;
    this.isRefused.value = false;
    this.connection.value = "open";
    this.connects.value += 1;
    for (const { text } of this.pending.values()) socket.send(text);
    this.endFirst();
  }

  private lost(): void {
    this.connection.value = "gone";
    this.endFirst();
    for (const { method, settle } of [...this.pending.values()]) {
      if (acts.has(method)) settle(failure("The connection broke before the answer came; look whether it was done."));
    }
    this.tryLater();
  }

  private tryLater(): void {
    this.retry = setTimeout(() => this.again(), this.delay);
    this.delay = Math.min(this.delay * 2, longestDelay);
  }

  private received(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      this.pending.get(requestIdOf(data))?.settle(ok(data));
    } else if (typeof data === "string") {
      this.receivedText(JSON.parse(data) as TextFrame);
    }
  }

  private receivedText(frame: TextFrame): void {
    if ("event" in frame) {
      for (const handler of this.listeners.get(frame.event) ?? []) handler(frame.data as never);
    } else if ("error" in frame) {
      this.pending.get(frame.id)?.settle(failure(frame.error.sentence));
    } else if ("result" in frame) {
      this.pending.get(frame.id)?.settle(ok(frame.result));
    } else {
      assertUnreachable(frame);
    }
  }
}

type TextFrame =
  | { readonly event: EventName; readonly data: unknown }
  | { readonly id: number; readonly error: { readonly sentence: string } }
  | { readonly id: number; readonly result: unknown };
