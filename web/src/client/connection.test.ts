import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Client, type Socket } from "./connection";

class FakeSocket implements Socket {
  binaryType: BinaryType = "blob";
  readyState = 0;
  onopen: ((event: Event) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  readonly sent: { id: number; method: string; params: unknown }[] = [];

  send(text: string): void {
    this.sent.push(JSON.parse(text) as FakeSocket["sent"][number]);
  }
  close(): void {
    this.readyState = 3;
    this.onclose?.(new Event("close") as CloseEvent);
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.(new Event("open"));
  }
  say(data: unknown): void {
    const text = data instanceof ArrayBuffer ? data : JSON.stringify(data);
    this.onmessage?.(new MessageEvent("message", { data: text }));
  }
}

function makeClient() {
  const sockets: FakeSocket[] = [];
  const refuse = { value: false };
  const make = (): Socket => {
    sockets.push(new FakeSocket());
    return sockets.at(-1)!;
  };
  const client = new Client(make, async () => refuse.value);
  client.start();
  return { client, sockets, refuse, socket: (at = -1) => sockets.at(at)! };
}

describe("the connection", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test("answers find their questions in any order", async () => {
    const { client, socket } = makeClient();
    socket().open();
    const first = client.request("sources", {});
    const second = client.request("hello", {});
    socket().say({ id: 1, result: { program: "b" } });
    socket().say({ id: 0, error: { sentence: "no" } });
    expect(await first).toEqual({ ok: false, sentence: "no" });
    expect(await second).toEqual({ ok: true, value: { program: "b" } });
  });

  test("a question asked before the connection stands is sent once it does", () => {
    const { client, socket } = makeClient();
    void client.request("hello", {});
    expect(socket().sent).toEqual([]);
    socket().open();
    expect(socket().sent).toEqual([{ id: 0, method: "hello", params: {} }]);
    expect(client.connection.value).toBe("open");
  });

  test("binary answers are given as they came", async () => {
    const { client, socket } = makeClient();
    socket().open();
    const tiles = client.request("tiles", { trace: "a", level: 0, index: 0, tracks: [] });
    const frame = new ArrayBuffer(16);
    socket().say(frame);
    expect(await tiles).toEqual({ ok: true, value: frame });
  });

  test("when the connection breaks, questions are asked again and acts fail", async () => {
    const { client, socket, sockets } = makeClient();
    socket().open();
    const question = client.request("hello", {});
    const act = client.request("profile_again", {});
    socket().close();
    expect(client.connection.value).toBe("gone");
    expect((await act).ok).toBe(false);
    vi.advanceTimersByTime(100);
    expect(sockets.length).toBe(2);
    socket().open();
    expect(socket().sent.map(({ method }) => method)).toEqual(["hello"]);
    socket().say({ id: 0, result: { program: "again" } });
    expect(await question).toEqual({ ok: true, value: { program: "again" } });
    expect(client.connects.value).toBe(2);
  });

  test("an act without a connection fails at once", async () => {
    const { client } = makeClient();
    expect((await client.request("cancel_profile", {})).ok).toBe(false);
  });

  test("attempts become rarer, and begin anew after a success", () => {
    const { socket, sockets } = makeClient();
    for (const delay of [100, 200, 400, 800, 1600, 3200, 5000, 5000]) {
      const before = sockets.length;
      socket().close();
      vi.advanceTimersByTime(delay - 1);
      expect(sockets.length).toBe(before);
      vi.advanceTimersByTime(1);
      expect(sockets.length).toBe(before + 1);
    }
    socket().open();
    socket().close();
    const before = sockets.length;
    vi.advanceTimersByTime(100);
    expect(sockets.length).toBe(before + 1);
  });

  test("before each further attempt the server is looked for, and nobody else is connected to", async () => {
    const sockets: FakeSocket[] = [];
    let who: "ready" | "nobody" | "stranger" = "stranger";
    const make = (): Socket => sockets[sockets.push(new FakeSocket()) - 1]!;
    const client = new Client(
      make,
      async () => false,
      async () => who,
    );
    client.start();
    sockets[0]!.open();
    sockets[0]!.close();
    await vi.advanceTimersByTimeAsync(100);
    expect(sockets.length).toBe(1);
    expect(client.isRefused.value).toBe(true);
    who = "nobody";
    await vi.advanceTimersByTimeAsync(200);
    expect(client.isRefused.value).toBe(false);
    expect(sockets.length).toBe(1);
    who = "ready";
    await vi.advanceTimersByTimeAsync(400);
    expect(sockets.length).toBe(2);
    sockets[1]!.open();
    expect(client.connects.value).toBe(2);
  });

  test("a server that will not have us is told from one that is gone", async () => {
    const { client, socket, refuse } = makeClient();
    socket().open();
    socket().close();
    expect(client.isRefused.value).toBe(false);
    vi.advanceTimersByTime(100);
    refuse.value = true;
    socket().close();
    await vi.waitFor(() => expect(client.isRefused.value).toBe(true));
    vi.advanceTimersByTime(200);
    socket().open();
    expect(client.isRefused.value).toBe(false);
  });

  test("events reach those who listen, until they stop", () => {
    const { client, socket } = makeClient();
    socket().open();
    const saves: number[] = [];
    const stop = client.on("result", ({ save }) => saves.push(save));
    socket().say({ event: "result", data: { save: 1 } });
    stop();
    socket().say({ event: "result", data: { save: 2 } });
    expect(saves).toEqual([1]);
  });

  test("a question that is given up settles and its late answer is ignored", async () => {
    const { client, socket } = makeClient();
    socket().open();
    const cancel = new AbortController();
    const question = client.request("hello", {}, cancel.signal);
    cancel.abort();
    expect((await question).ok).toBe(false);
    socket().say({ id: 0, result: {} });
  });
});
