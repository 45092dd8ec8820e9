#!/usr/bin/env python3
"""Makes the names of marks, for the recorder and for the engine, from src/trace/marks.schema, which explains itself.

tools/gen_marks.py            writes src/trace/marks.h and python/skyline/_mark_names.py
tools/gen_marks.py --check    writes nothing; exit 1 if one of them is not what it would write
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gen_protocol import ROOT, constant, write_or_check

SOURCE = ROOT / "src" / "trace" / "marks.schema"
MADE_BY = "Made by tools/gen_marks.py from src/trace/marks.schema; change that."
LINE = re.compile(r'(mark|range) (\w+) "([^"]+)"  # (.+)')


@dataclass(frozen=True)
class Name:
    word: str
    text: str
    doc: str
    is_mark: bool


def parse(text: str) -> tuple[str, list[Name]]:
    prefix, names = "", []
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if match := re.fullmatch(r'prefix "([^"]+)"', line):
            prefix = match[1]
        elif match := LINE.fullmatch(line):
            names.append(Name(match[2], match[3], match[4], match[1] == "mark"))
        else:
            raise SystemExit(f"{SOURCE.name}: not understood: {line}")
    return prefix, names


def header_lines(prefix: str, names: list[Name]) -> Iterator[str]:
    yield f"// {MADE_BY}"
    yield "// clang-format off"
    yield from ("#pragma once", "", "#include <string_view>", "", "namespace skyline {", "")
    yield "// Moments that `skyline run` marks, as ranges without length; all their names begin so."
    yield f'inline constexpr std::string_view kMarkPrefix = "{prefix}";'
    for each in names:
        yield from ("", f"// {each.doc[0].upper()}{each.doc[1:]}.")
        name = constant(each.word) + ("Mark" if each.is_mark else "")
        yield f'inline constexpr std::string_view {name} = "{prefix if each.is_mark else ""}{each.text}";'
    yield from ("", "}  // namespace skyline")


def python_lines(prefix: str, names: list[Name]) -> Iterator[str]:
    yield from (f"# {MADE_BY}", '"""Names of ranges that the engine knows."""', "")
    yield f'PREFIX = "{prefix}"  # of all marks'
    for each in names:
        yield f'{each.word.upper()} = "{each.text}"  # {each.doc}'


def outputs() -> dict[Path, str]:
    prefix, names = parse(SOURCE.read_text(encoding="utf-8"))
    return {
        ROOT / "src" / "trace" / "marks.h": "\n".join(header_lines(prefix, names)) + "\n",
        ROOT / "python" / "skyline" / "_mark_names.py": "\n".join(python_lines(prefix, names)) + "\n",
    }


if __name__ == "__main__":
    sys.exit(write_or_check(outputs()))
