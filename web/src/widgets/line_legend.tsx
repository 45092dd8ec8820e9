// What the bars beside a line of code mean. One rule for time and memory, the same as on the terminal.
import "./line_legend.css";

const rule =
  "Its own: what a line does itself and in the libraries that it calls, its part of the backward pass included. " +
  "Lines of the project that it calls have their own, so all of them add up to the whole.";

export function LineLegend({ time = "time" }: { readonly time?: string }) {
  return (
    <span class="line-legend">
      <span data-tip={`Own ${time}\n${rule}`}>
        <i class="is-time" /> own {time}
      </span>
      <span data-tip="With the lines that it calls\nWhat passes through the line: its own, and that of the project's lines below it.">
        <i class="is-reach" /> with calls
      </span>
      <span data-tip={`Own memory\nWhat lives at the peak and was allocated there. ${rule}`}>
        <i class="is-bytes" /> own memory
      </span>
    </span>
  );
}
