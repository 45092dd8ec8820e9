// How the page finds a server that was started again (src/serve/http/resumption.h tells the protocol). Somebody else may
// have taken the port meanwhile, so nothing that is secret is sent before who answers has proven that he knows the
// secret that the server before gave to this page; then the page proves the same, and is told the new token.

/** Where the page's server is: the folder below the token. */
export type Resumed =
  | { readonly kind: "ready"; readonly page: URL }
  | { readonly kind: "nobody" } // nobody answers
  | { readonly kind: "stranger" }; // somebody does, who is not our server

type Fetch = (address: string, settings: RequestInit) => Promise<Response>;

export async function resume(page: URL, secret: string, ask: Fetch): Promise<Resumed> {
  const number = hex(crypto.getRandomValues(new Uint8Array(16)));
  const get = async (path: string): Promise<Response | undefined> => {
    try {
      return await ask(new URL(`/resume/${path}`, page).href, {
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
        referrerPolicy: "no-referrer", // the page's own address holds the token of the server before
      });
    } catch {
      return undefined;
    }
  };
  const first = await get(number);
  if (first === undefined) return { kind: "nobody" };
  const theirs = first.headers.get("Skyline-Number") ?? "";
  const proof = await proofOf(secret, "server", page.host, number, theirs);
  if (!first.ok || theirs === "" || first.headers.get("Skyline-Proof") !== proof) return { kind: "stranger" };
  const second = await get(`${number}/${theirs}/${await proofOf(secret, "page", page.host, number, theirs)}`);
  if (second === undefined) return { kind: "nobody" };
  const token = second.headers.get("Skyline-Token") ?? "";
  return token === "" ? { kind: "stranger" } : { kind: "ready", page: new URL(`/${token}/`, page) };
}

/** Whether this page can compute proofs: browsers let only pages of this machine, or over HTTPS. */
export function canProve(): boolean {
  return (crypto as { readonly subtle?: SubtleCrypto }).subtle !== undefined;
}

export async function proofOf(
  secret: string,
  who: "server" | "page",
  host: string,
  ofPage: string,
  ofServer: string,
): Promise<string> {
  const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const text = `skyline resume\n${who}\n${host}\n${ofPage}\n${ofServer}`;
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(text))));
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
