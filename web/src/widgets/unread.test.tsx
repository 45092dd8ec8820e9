import type { TraceSummary } from "@protocol/messages";
import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, expect, test, vi } from "vitest";

const asked: { readonly method: string; readonly params: unknown; readonly answer: (result: unknown) => void }[] = [];

vi.mock("../client/client", () => ({
  client: {
    request: (method: string, params: unknown) =>
      new Promise((answer) => {
        asked.push({ method, params, answer });
      }),
    connects: { value: 0 },
    connection: { value: "open" },
    on: () => () => undefined,
  },
}));

const { Unread } = await import("./unread");
const { hello } = await import("../model/app");

const numbers = { rank: -1, world_size: -1, offset_ns: 0, duration_ns: 0, events: 0, steps: 0 };
const texts = { host_name: "", producer: "", format: "", devices: [] };
const parts = { has_device: false, has_memory: false, has_stacks: false, has_modules: false, has_sources: false };
const unread: TraceSummary = {
  ...{ id: "3", name: "rank_3.json", is_read: false, is_held: false },
  ...{ ...numbers, ...texts, ...parts },
};
const page = document.createElement("div");

async function show(trace: TraceSummary): Promise<void> {
  await act(() => render(<Unread trace={trace} />, page));
}

async function answer(result: unknown): Promise<void> {
  await act(async () => {
    asked.at(-1)?.answer(result);
    await Promise.resolve();
  });
}

beforeEach(() => {
  render(undefined, page);
  asked.length = 0;
  const rest = {
    protocol: 1,
    program: "",
    command: "",
    resume_secret: "",
    tables: [],
    phases: [],
    memory_roles: [],
    kinds: [],
  };
  hello.value = { ...rest, door: "traces", traces: [unread] };
});

test("looking at a trace has it read, and what it is is known then", async () => {
  await show(unread);
  expect(page.textContent).toBe("Reading rank_3.json …");
  expect(asked.map(({ method, params }) => [method, params])).toEqual([["open_trace", { trace: "3" }]]);
  await answer({ ok: true, value: { ...unread, is_read: true, steps: 4 } });
  expect(hello.value?.traces[0]?.steps).toBe(4);
});

test("what cannot be read says why", async () => {
  await show(unread);
  await answer({ ok: false, sentence: "rank_3.json is no trace; name one that is" });
  expect(page.querySelector('[role="alert"]')?.textContent).toBe("rank_3.json is no trace; name one that is");
});
