import { expect, test } from "vitest";
import { begin, busy, whenIdle } from "./idle";

test("the page is idle once everything that began has ended", async () => {
  const order: string[] = [];
  const end = begin();
  const idle = whenIdle().then(() => order.push("idle"));
  await new Promise((resolve) => setTimeout(resolve, 100));
  order.push("ended");
  end();
  end(); // counts once
  await idle;
  expect(order).toEqual(["ended", "idle"]);
});

test("work that fails ends too", async () => {
  await expect(busy(Promise.reject(new Error("no")))).rejects.toThrow("no");
  await whenIdle();
});

test("what begins while one waits is waited for", async () => {
  let isDone = false;
  const end = begin();
  const idle = whenIdle();
  setTimeout(() => {
    const second = begin();
    end();
    setTimeout(() => {
      isDone = true;
      second();
    }, 30);
  }, 5);
  await idle;
  expect(isDone).toBe(true);
});
