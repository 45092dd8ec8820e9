"""What a bench found: a table, the goals it was held to, and its place in a Markdown file."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from measure import machine


@dataclass(frozen=True)
class Goal:
    """A sentence with the measured value, and whether it holds."""

    text: str
    met: bool


@dataclass(frozen=True)
class Table:
    """What one bench found; `marker` names its place in the Markdown file."""

    marker: str
    title: str
    head: tuple[str, ...]
    rows: list[tuple[str, ...]]
    goals: list[Goal]
    versions: str
    notes: list[str] = field(default_factory=list)

    def markdown(self) -> str:
        lines = [f"**{self.title}**", "", "| " + " | ".join(self.head) + " |"]
        lines.append("|" + "|".join("---" if column == 0 else "---:" for column in range(len(self.head))) + "|")
        lines += ["| " + " | ".join(row) + " |" for row in self.rows]
        remarks = [f"- {'met' if goal.met else '**missed**'}: {goal.text}" for goal in self.goals]
        remarks += [f"- {note}" for note in self.notes]
        lines += ["", *remarks, "", f"{machine()}; {self.versions}."]
        return "\n".join(lines)

    def text(self) -> str:
        cells = [self.head, *self.rows]
        widths = [max(len(row[column]) for row in cells) for column in range(len(self.head))]
        lines = [self.title]
        for row in cells:
            first = row[0].ljust(widths[0])
            lines.append(
                "  ".join([first, *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))])
            )
        lines += [f"{'met   ' if goal.met else 'MISSED'}  {goal.text}" for goal in self.goals]
        return "\n".join(lines + self.notes)


def at_least(what: str, value: float, limit: float) -> Goal:
    return Goal(f"{what}: {value:.2f} x, goal at least {limit:g} x", value >= limit)


def at_most(what: str, value: float, limit: float) -> Goal:
    return Goal(f"{what}: {value:.2f}, goal at most {limit:g}", value <= limit)


def write_markdown(path: Path, table: Table) -> None:
    """Replaces what stands between the table's two markers."""
    begin, end = f"<!-- bench:{table.marker} -->", f"<!-- /bench:{table.marker} -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    text, count = pattern.subn(lambda _: f"{begin}\n{table.markdown()}\n{end}", path.read_text(encoding="utf-8"))
    if count != 1:
        raise SystemExit(f"{path}: expected {begin} and {end} once, found them {count} times")
    path.write_text(text, encoding="utf-8")


def show_all(measures: Iterable[Callable[[], Table]], markdown: Path | None) -> bool:
    """Measures and prints one table after the other; whether all goals are met."""
    print(machine())
    all_met = True
    for measure in measures:
        table = measure()
        print(f"\n{table.text()}")
        all_met &= all(goal.met for goal in table.goals)
        if markdown is not None:
            write_markdown(markdown, table)
    return all_met
