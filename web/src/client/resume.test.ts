import { expect, test } from "vitest";
import { proofOf, resume } from "./resume";

const page = new URL("http://127.0.0.1:4000/old-token/");
const secret = "a secret of both";

/** A server that proves with this secret for this address; notes what it was asked. */
function server(its: string, host = "127.0.0.1:4000") {
  const asked: string[] = [];
  const answer = async (address: string): Promise<Response> => {
    asked.push(address);
    const [, , number = "", ours, proof] = new URL(address).pathname.split("/");
    if (ours === undefined) {
      const headers = { "Skyline-Number": "n", "Skyline-Proof": await proofOf(its, "server", host, number, "n") };
      return new Response("", { headers });
    }
    const isRight = proof === (await proofOf(its, "page", host, number, "n"));
    return new Response("", isRight ? { headers: { "Skyline-Token": "new-token" } } : { status: 403 });
  };
  return { asked, answer };
}

test("a server that was started again is found below its new token", async () => {
  const { asked, answer } = server(secret);
  expect(await resume(page, secret, answer)).toEqual({
    kind: "ready",
    page: new URL("http://127.0.0.1:4000/new-token/"),
  });
  for (const address of asked) {
    expect(address).not.toContain("old-token");
    expect(address).not.toContain(secret);
  }
});

test("who does not prove the secret for this address learns nothing", async () => {
  for (const stranger of [server("a guess"), server(secret, "127.0.0.1:5000")]) {
    expect(await resume(page, secret, stranger.answer)).toEqual({ kind: "stranger" });
    expect(stranger.asked.length).toBe(1); // and is not told the page's proof
    expect(stranger.asked[0]).toMatch(/^http:\/\/127.0.0.1:4000\/resume\/[0-9a-f]{32}$/);
  }
  expect(await resume(page, secret, async () => new Response("hello"))).toEqual({ kind: "stranger" });
});

test("nobody is told from a stranger", async () => {
  expect(
    await resume(page, secret, async () => {
      throw new TypeError("refused");
    }),
  ).toEqual({ kind: "nobody" });
});

test("a proof is the one that the server computes", async () => {
  expect(await proofOf("s", "server", "127.0.0.1:4000", "a".repeat(32), "n")).toBe(
    "b263b2aa602cde5400fe98d90d7cc39cf3b895c93c01f144ef9a237a5f662011",
  );
});
