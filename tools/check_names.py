#!/usr/bin/env python3
"""Names in anonymous namespaces are used once in a layer.

Release and sanitizer builds compile a layer's sources in batches (cmake/skyline_layer.cmake), where two anonymous
namespaces are one. Which sources share a batch changes with every new file, so a clash would show far from its cause.

    check_names.py        prints each clash of this tree; exit code 1 if there is one

Reads definitions at the left margin, as clang-format leaves them: types, constants, and functions by the types of their
arguments. Overloads and equal aliases (using X = Y) may stand in several files.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

TYPE = re.compile(r"(?:struct|class|enum class|enum|union) (\w+)\b.*\{")
CONSTANT = re.compile(r"(?:inline |static )?(?:constexpr|const|thread_local) [^(]*?\b\w+(?:\[[^]]*\])? ?[={]")
CONSTANT_NAME = re.compile(r"\b(\w+)(?:\[[^]]*\])? (?==)|\b(k[A-Z]\w*)(?:\[[^]]*\])?(?=\{)")  # several on a line
FUNCTION = re.compile(r"[\w:<>,&* ]+?[&* ](\w+)\((.*)")
NO_DEFINITION = (" ", "}", "#", "//", "template", "TEST", "using namespace")


def anonymous_lines(text: str) -> Iterator[tuple[str, str]]:
    """Lines inside anonymous namespaces, each with the namespaces around it."""
    around: list[str] = []
    for line in text.splitlines():
        if re.fullmatch(r"namespace( \w[\w:]*)? \{", line):
            around.append(line)
        elif line.startswith("}  // namespace"):
            around.pop()
        elif "namespace {" in around:
            yield " ".join(around), line


def definitions(text: str) -> Iterator[tuple[str, str]]:
    """What a source defines in anonymous namespaces, as (namespaces, name)."""
    lines = list(anonymous_lines(text))
    for number, (around, line) in enumerate(lines):
        if line.startswith(NO_DEFINITION):
            continue
        if match := TYPE.match(line):
            yield around, match[1]
        elif CONSTANT.match(line):
            yield from ((around, first or second) for first, second in CONSTANT_NAME.findall(line))
        elif match := FUNCTION.match(line):
            yield around, signature(match[1], match[2], [text for _, text in lines[number + 1 :]])


def signature(name: str, begin: str, following: list[str]) -> str:
    """`f(const Trace&, int)` of a definition whose arguments may go on in the lines that follow."""
    for line in following:
        if ")" in begin:
            break
        begin += " " + line.strip()
    arguments = begin.split(")")[0].split(",")
    types = [re.sub(r"(?<=[ &*])\w+$", "", argument.split("=")[0].strip()).strip() for argument in arguments]
    return f"{name}({', '.join(types)})"


def clashes(source_root: Path) -> list[str]:
    """One line each; tests are programs of their own."""
    places: dict[tuple[str, bool, str, str], set[str]] = defaultdict(set)
    for path in sorted(source_root.glob("*/**/*.cpp")):
        within = path.relative_to(source_root)
        is_test = path.name.endswith("_test.cpp")
        for around, name in definitions(path.read_text(encoding="utf-8")):
            places[within.parts[0], is_test, around, name].add(str(within))
    return [
        f"{name} is defined in {' and '.join(sorted(files))}" for (*_, name), files in places.items() if len(files) > 1
    ]


if __name__ == "__main__":
    found = clashes(Path(__file__).resolve().parents[1] / "src")
    print("\n".join(found))
    sys.exit(1 if found else 0)
