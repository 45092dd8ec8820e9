import { render } from "preact";
import { expect, test } from "vitest";
import { showPrintableNodes } from "./printable_nodes";

showPrintableNodes();

const name = "kernel_\u202egnp.exe";
const shown = "kernel_\\u202egnp.exe";

function Passing({ text }: { readonly text: string }) {
  return <>{text}</>;
}

test("no element shows a text that turns others around, wherever it comes from", () => {
  const place = document.createElement("div");
  render(
    <p title={name} aria-label={`of ${name}`} data-name={name}>
      {name}
      <b>
        {1} {name} {[name, [name]]}
      </b>
      <Passing text={name} />
      <>
        {name}
        {"two\nlines"}
      </>
    </p>,
    place,
  );
  const paragraph = place.querySelector("p")!;
  expect(paragraph.title).toBe(shown);
  expect(paragraph.getAttribute("aria-label")).toBe(`of ${shown}`);
  expect(paragraph.dataset["name"]).toBe(name); // for programs
  expect(paragraph.textContent).toBe(`${shown}1 ${shown} ${shown}${shown}${shown}${shown}two\nlines`);
});
