#!/usr/bin/env python3
"""Checks who may know whom in src/ and web/src/.

    tools/check_layers.py [ROOT]      prints path:line: sentence for each violation; exit 1 if there is one

The table below is the law. It is applied to #include lines and to the DEPS of each layer's CMakeLists.txt:

  * a folder includes only the folders it may use, and of those only the door `x/x.h` (or anything, if the
    folder is all door);
  * within a layer, a room (a sub-folder) includes only itself and the rooms before it, and never what stands above the
    rooms, but for the headers that are named below; tests look into any room of their layer;
  * what others see through a door is ours or the system's: no header behind it includes a third-party one, or one of
    those that are named below as machinery;
  * what a file declares stands in its layer's namespace, skyline::analyze in src/analyze; folders that are all door,
    base and trace, are skyline itself;
  * includes in quotes start at src/ and name a file that exists; those for tests, test_x.h, are for tests alone;
  * third-party headers appear only in the layers that wrap them. A header known to no list below is a
    violation too, so that a new dependency is a decision and never an accident.

In web/src the layers stand in one row, and imports go only to the left in it. A feature does not know another one; its
own files stand in a row, too: model, draw, and last its views, which alone may use widgets. Only features/registry.ts
knows all features, and only client talks to the server.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Layer:
    may_use: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()


LAYERS = {
    "base": Layer((), ("fmt", "simdjson", "posix")),
    "tracefile": Layer(("base",), ("zstd", "xxhash", "posix")),
    "collect": Layer(("base", "tracefile"), ("torch", "python", "zstd", "posix", "loader")),
    "trace": Layer(("base",)),
    "ingest": Layer(("base", "tracefile", "trace"), ("simdjson", "isal", "zstd", "xxhash", "posix", "files")),
    "analyze": Layer(("base", "trace"), ("fmt",)),
    "session": Layer(("base", "trace", "ingest", "analyze"), ("fmt", "simdjson", "posix", "files")),
    "report": Layer(("base", "trace", "ingest", "analyze", "session"), ("fmt", "simdjson", "sqlite", "posix", "files")),
    "serve": Layer(("base", "trace", "ingest", "analyze", "session"), ("fmt", "simdjson", "boost", "posix", "files")),
    "cli": Layer(
        ("base", "tracefile", "trace", "ingest", "analyze", "session", "report", "serve"),
        ("cli11", "fmt", "posix", "files", "console"),
    ),
}
ALL_DOOR = {"base", "trace"}

# The rooms of a layer; each may include those before it. A layer that is not here has none.
ROOMS = {
    "collect": ("tables", "python", "sampling", "log", "torch"),
    "ingest": ("text", "join", "kineto_json", "native"),
    "analyze": ("core", "time", "processes", "places", "memory", "timeline", "health", "advice", "ranks"),
    "session": ("project", "process", "batch", "profile"),
    "serve": ("messages", "served", "methods", "http"),
    "cli": ("terminal", "setup", "views", "commands"),
}
# Headers above the rooms of their layer that the rooms may include nevertheless.
FOR_ALL_ROOMS = {
    "collect/recorder.h",  # all of them ask whether something is recorded
    "ingest/ingest.h",  # what a reader is asked and what it answers
    "ingest/footprint.h",
    "ingest/trace_input.h",
    "session/worker_messages.h",  # what the user's code is told and what comes of it
}
# Machinery that no one sees through a door, not even by way of another header.
BEHIND_DOORS = {
    "session/process/process.h",
    "session/process/worker.h",
    "session/process/zygote.h",
    "session/profile/profile.h",
    "serve/http/connection.h",
    "serve/methods/registry.h",
    "ingest/text/text_source.h",
    "ingest/kineto_json/reader.h",
    "analyze/core/row_source.h",
}
# Libraries that only one room of a layer sees.
LIBRARY_ROOMS = {"torch": "collect/torch"}
# What is the system's own: types of these may stand in headers behind a door.
SYSTEM = {"standard", "posix", "files"}

# Header (a regular expression for the whole name) -> library. First match wins.
LIBRARIES = [
    (r"simdjson\.h", "simdjson"),
    (r"isa-l(\.h|/.+)", "isal"),
    (r"zstd(_errors)?\.h", "zstd"),
    (r"xxhash\.h", "xxhash"),
    (r"fmt/.+", "fmt"),
    (r"CLI/.+", "cli11"),
    (r"sqlite3\.h", "sqlite"),
    (r"boost/.+", "boost"),
    (r"(torch|ATen|c10)/.+", "torch"),
    (r"Python\.h|internal/pycore_.+|pybind11/.+", "python"),
    (r"g(test|mock)/.+", "gtest"),
    (r"iostream", "console"),  # only cli prints
    (r"fstream|filesystem", "files"),
    (r"(unistd|fcntl|poll|signal|spawn|pthread|sched|dirent|termios)\.h|sys/.+|linux/.+|arpa/.+|netinet/.+", "posix"),
    (r"(elf|link|dlfcn|cxxabi)\.h", "loader"),  # only the collector changes what a program calls
    (r"[a-z0-9]*intrin\.h|cpuid\.h|[a-z0-9_]+", "standard"),  # C++ standard headers have no dot
]

# Each may import those before it. The driver, main.tsx, may import all.
WEB_LAYERS = ("base", "client", "model", "widgets", "features")
# Within a feature: files in its folders model and draw, and those beside these folders, its views.
FEATURE_ROOMS = ("model", "draw", "views")
# Package (a regular expression) -> who may import it: layers, or rooms of features. A package that is not here is a
# violation.
WEB_PACKAGES = [
    (r"preact(/.+)?|@preact/signals", (*WEB_LAYERS, *FEATURE_ROOMS)),
    (r"@protocol/messages", (*WEB_LAYERS, *FEATURE_ROOMS)),
    (r"uplot(/.+)?", ("draw",)),
    (r"@codemirror/.+|@lezer/.+", ("widgets",)),
]
WEB_TEST_PACKAGES = r"vitest|node:.+"
WEB_IMPORT = re.compile(r"""(?:\bfrom|^\s*import|\bimport\s*\()\s*["']([^"']+)["']""")
WEB_CSS_IMPORT = re.compile(r"""@import\s+["']([^"']+)["']""")
WEB_CONNECTS = re.compile(r"\bnew (WebSocket|EventSource|XMLHttpRequest|Worker)\b|\b(fetch|sendBeacon)\(")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
NAMESPACE = re.compile(r"^(?:inline )?namespace skyline\b((?:::\w+)*) \{(.*)")
DEPS = re.compile(r"\bDEPS\b([^)]*?)(?=\b(?:SOURCES|TESTS|OUTPUT)\b|\))")


def belongs_to_tests(path: Path) -> bool:
    """The unit tests x_test.cpp, and what they share: test_x.h."""
    return path.stem.endswith("_test") or path.stem.startswith("test_")


def library_of(header: str) -> str | None:
    return next((library for pattern, library in LIBRARIES if re.fullmatch(pattern, header)), None)


def room_of(within: Path) -> str:
    """`time` of analyze/time/op_time.h; empty of what stands above the rooms."""
    return within.parts[1] if len(within.parts) > 2 else ""


def check_system_include(within: Path, header: str, is_test: bool) -> str | None:
    layer = within.parts[0]
    library = library_of(header)
    if library is None:
        return f"<{header}> belongs to no known library; if we need it, add it to tools/check_layers.py and say why"
    # A unit test may make files and print; it still may not reach past its layer to a parser.
    allowed = {"standard", *LAYERS[layer].libraries} | ({"gtest", "files", "posix", "console"} if is_test else set())
    if library not in allowed:
        return f"{layer} must not use {library} (<{header}>)"
    if library in LIBRARY_ROOMS and not within.is_relative_to(LIBRARY_ROOMS[library]):
        return f"{within.parent} must not use {library} (<{header}>); only {LIBRARY_ROOMS[library]} does"
    return None


def check_room(within: Path, header: str) -> str | None:
    """Of a header of the same layer."""
    layer, room, other = within.parts[0], room_of(within), room_of(Path(header))
    if not room or header in FOR_ALL_ROOMS:
        return None
    if not other:
        return f"{layer}/{room} must not know {header}, which stands above the rooms"
    rooms = ROOMS[layer]
    if rooms.index(other) > rooms.index(room):
        return f"{layer}/{room} must not know {layer}/{other} ({header}); includes go to the left in {', '.join(rooms)}"
    return None


def check_own_include(src: Path, within: Path, header: str, is_test: bool) -> str | None:
    layer = within.parts[0]
    if not (src / header).is_file():
        return f'"{header}" does not exist; paths start at src/'
    if belongs_to_tests(Path(header)) and not is_test:
        return f"{header} is for tests"
    target = header.split("/")[0]
    if target == layer:
        return None if is_test else check_room(within, header)
    if target not in LAYERS[layer].may_use:
        return f"{layer} must not know {target} ({header})"
    if belongs_to_tests(Path(header)):
        return None  # what tests of one layer have made, those of another may use
    if target not in ALL_DOOR and header != f"{target}/{target}.h":
        return f"{header} is inside {target}; other folders include only its door {target}/{target}.h"
    return None


def check_namespace(layer: str, lines: list[str]) -> Iterator[tuple[int, str]]:
    """A class of `skyline` may be named before, `namespace skyline {` and `class Trace;`, never defined."""
    if layer in ALL_DOOR:
        return
    wanted = f"::{layer}"
    for number, line in enumerate(lines, 1):
        if (match := NAMESPACE.match(line)) and not f"{match[1]}::".startswith(f"{wanted}::"):
            following = lines[number : number + 1]
            if match[1] or not following or not re.match(r"(class|struct) \w+;", following[0]):
                yield number, f"{layer} declares in skyline{match[1]}; its namespace is skyline{wanted}"


def check_source(src: Path, path: Path) -> Iterator[tuple[Path, int, str]]:
    within = path.relative_to(src)
    is_test = belongs_to_tests(path)
    if (room := room_of(within)) and room not in ROOMS.get(within.parts[0], ()):
        yield path, 1, f"{room} is no room of {within.parts[0]}; add it to the table in tools/check_layers.py"
        return
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, message in check_namespace(within.parts[0], lines):
        yield path, number, message
    for number, line in enumerate(lines, 1):
        if match := INCLUDE.match(line):
            bracket, header = match.groups()
            if bracket == "<":
                message = check_system_include(within, header, is_test)
            else:
                message = check_own_include(src, within, header, is_test)
            if message:
                yield path, number, message


def check_door(src: Path, layer: str) -> Iterator[tuple[Path, int, str]]:
    """Goes through a door and all headers of its layer that it includes."""
    door = f"{layer}/{layer}.h"
    seen, coming = set(), [door]
    while coming:
        name = coming.pop()
        path = src / name
        if name in seen or not path.is_file():
            continue
        seen.add(name)
        if name in BEHIND_DOORS:
            yield path, 1, f"{name} is seen by all who include {door}"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := INCLUDE.match(line):
                bracket, header = match.groups()
                if bracket == '"' and header.startswith(f"{layer}/"):
                    coming.append(header)
                elif bracket == "<" and (library := library_of(header)) and library not in SYSTEM:
                    yield path, number, f"<{header}> of {library} is seen by all who include {door}"


def check_cmake(src: Path, path: Path) -> Iterator[tuple[Path, int, str]]:
    layer = path.relative_to(src).parts[0]
    text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
    for match in DEPS.finditer(text):
        for target in match.group(1).split():
            if "::" in target:
                continue  # third-party; what matters is who includes its headers
            if target != layer and target not in LAYERS[layer].may_use:
                number = text.count("\n", 0, match.start()) + 1
                yield path, number, f"{layer} must not link {target}"


def violations(root: Path) -> Iterator[tuple[Path, int, str]]:
    yield from engine_violations(root)
    yield from web_violations(root)


def engine_violations(root: Path) -> Iterator[tuple[Path, int, str]]:
    src = root / "src"
    for folder in sorted(path for path in src.iterdir() if path.is_dir()):
        if folder.name not in LAYERS:
            yield folder, 1, f"{folder.name} is no layer; add it to the table in tools/check_layers.py"
            continue
        yield from check_door(src, folder.name)
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".h", ".cpp"}:
                yield from check_source(src, path)
            elif path.name == "CMakeLists.txt":
                yield from check_cmake(src, path)


@dataclass(frozen=True)
class WebPlace:
    """Where a file of the page stands; `feature` and `room` are empty outside of features."""

    layer: str
    feature: str = ""
    room: str = ""

    def __str__(self) -> str:
        return f"{self.feature}/{self.room}" if self.feature else self.layer


def web_place(within: Path) -> WebPlace:
    layer, *others = within.parts
    if layer != "features" or len(others) < 2:
        return WebPlace(layer)
    return WebPlace(layer, others[0], others[1] if len(others) > 2 else FEATURE_ROOMS[-1])


def check_web_import(src: Path, path: Path, place: WebPlace, name: str, is_test: bool) -> str | None:
    if not name.startswith("."):
        if is_test and re.fullmatch(WEB_TEST_PACKAGES, name):
            return None
        allowed = next((layers for pattern, layers in WEB_PACKAGES if re.fullmatch(pattern, name)), None)
        if allowed is None:
            return f"{name} is no known package; if we need it, add it to tools/check_layers.py and say why"
        return None if (place.room or place.layer) in allowed else f"{place} must not use {name}"
    target = (path.parent / name).resolve()
    if not target.is_relative_to(src):
        return f"{name} is outside web/src"
    if not any(target.with_name(target.name + suffix).is_file() for suffix in ("", ".ts", ".tsx")):
        return f"{name} does not exist"
    other = web_place(target.relative_to(src))
    if other.layer not in WEB_LAYERS:
        return f"{place} must not know the driver {other}"
    if WEB_LAYERS.index(other.layer) > WEB_LAYERS.index(place.layer):
        return f"{place} must not know {other} ({name}); imports go to the left in {', '.join(WEB_LAYERS)}"
    return check_feature_import(place, other, name) if place.feature else None


def check_feature_import(place: WebPlace, other: WebPlace, name: str) -> str | None:
    if place.room not in FEATURE_ROOMS:
        return f"{place} is no folder of a feature; these have {', '.join(FEATURE_ROOMS[:-1])}"
    if other.layer == "widgets" and place.room != FEATURE_ROOMS[-1]:
        return f"{place} must not know widgets ({name}); only views do"
    if other.layer == "features" and other.feature != place.feature:
        return f"{place} must not know {other} ({name}); what features share is in model or widgets"
    if other.feature and FEATURE_ROOMS.index(other.room) > FEATURE_ROOMS.index(place.room):
        return f"{place} must not know {other} ({name}); imports go to the left in {', '.join(FEATURE_ROOMS)}"
    return None


def check_web_source(src: Path, path: Path) -> Iterator[tuple[Path, int, str]]:
    place = web_place(path.relative_to(src))
    is_test = path.stem.endswith(".test")
    pattern = WEB_CSS_IMPORT if path.suffix == ".css" else WEB_IMPORT
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for name in pattern.findall(line):
            if message := check_web_import(src, path, place, name, is_test):
                yield path, number, message
        if place.layer != "client" and not is_test and (match := WEB_CONNECTS.search(line)):
            yield path, number, f"{place} must not talk to the server ({match.group(0)}); only client does"


def web_violations(root: Path) -> Iterator[tuple[Path, int, str]]:
    src = (root / "web/src").resolve()
    if not src.is_dir():
        return
    for folder in sorted(path for path in src.iterdir() if path.is_dir()):
        if folder.name not in WEB_LAYERS:
            yield folder, 1, f"{folder.name} is no layer of the page; add it to the table in tools/check_layers.py"
            continue
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".ts", ".tsx", ".css"}:
                yield from check_web_source(src, path)


def main() -> int:
    root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = list(violations(root))
    for path, number, message in found:
        print(f"{path.relative_to(root)}:{number}: {message}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
