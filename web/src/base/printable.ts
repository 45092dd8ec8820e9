// Text that is safe to show, as src/base/printable.h makes it. Names in traces may hold any characters, among them some
// that show nothing and turn others around: a file "x\u202egnp.exe" reads "xexe.png".

// Control characters, marks of direction, separators of lines, and whatever else has no width and no shape.
const invisible =
  "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f-\\u1160\\u17b4-\\u17b5\\u180b-\\u180f\\u200b-\\u200f" +
  "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}" +
  "\\u{e0000}-\\u{e0fff}";
const all = new RegExp(`[${invisible}]`, "gu");
/** The same without what sets lines and columns apart. */
export const invisibleInLines = new RegExp(`(?![\\t\\n]|\\r\\n)[${invisible}]`, "gu");

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r" };

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = (digits: number): string => code.toString(16).padStart(digits, "0");
  return short[character] ?? (code < 0x80 ? `\\x${hex(2)}` : code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`);
}

/** On one line: \n, \x1b and \u202e are written out. */
export function printable(text: string): string {
  return text.replace(all, escape);
}

/** On as many lines as it has. */
export function printableLines(text: string): string {
  return text.replace(invisibleInLines, escape);
}
