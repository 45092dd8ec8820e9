"""Where a script's batch size comes from: a number in its source that an edit replaces, an argument of the command, or
something that is only named.

From the call that makes the training loop's DataLoader the value is followed through names, parameters and constants.
What is looked up by a name only (args.batch_size, a keyword of a library's settings) is searched in the files that were
run: a number of that name and that value, if there is just one.
"""

import ast
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ._batch_literal import (
    BatchLiteral,
    Function,
    NoLiteral,
    Source,
    all_arguments,
    assigns,
    binds,
    constant_named,
    is_whole_number,
)
from ._loaders import Call

# As libraries and people call it; the first that is found counts.
NAMES = ("per_device_train_batch_size", "train_batch_size", "batch_size", "micro_batch_size", "batchsize", "bsz", "bs")
CONFIGS = (".yaml", ".yml", ".json", ".toml", ".cfg", ".ini")
MOST_CONFIGS, MOST_CONFIG_BYTES = 200, 1 << 20
MOST_HOPS = 16


@dataclass(frozen=True)
class Argument:
    """A word of the command line that holds the number, behind a prefix such as --batch-size=."""

    index: int
    prefix: str


@dataclass(frozen=True)
class BatchSource:
    literal: BatchLiteral | None = None
    argument: Argument | None = None
    reason: str = ""  # why no number can be edited


class ByName(Exception):
    """The value is had under this name, from an object that is only known when the script runs; no name: any."""


def find_batch_source(
    value: int, maker: Sequence[Call], files: Sequence[Path], arguments: Sequence[str], root: Path
) -> BatchSource:
    """Of the batch size `value`; `files` were run."""
    names: Sequence[str] = NAMES
    try:
        if maker:
            return BatchSource(literal=Follower(value, maker).literal())
    except ByName as by_name:
        names = (str(by_name),) if str(by_name) else NAMES
    except NoLiteral as why:
        return BatchSource(reason=str(why))
    sources = [source for path in files if (source := readable(path)) is not None]
    flags = {flag for source in sources for flag in flags_of(source.tree, names)}
    if (argument := argument_of(value, names, flags, arguments)) is not None:
        said = " ".join(arguments[max(argument.index - (not argument.prefix), 0) : argument.index + 1])
        return BatchSource(argument=argument, reason=f"the command line says {said}; change it there")
    for name in names:
        found = [(source, node) for source in sources for node in numbers_named(source.tree, name, value)]
        if len(found) == 1:
            return BatchSource(literal=found[0][0].literal(found[0][1]))
        if found:
            places = " and ".join(f"{source.path.name}:{node.lineno}" for source, node in found[:3])
            return BatchSource(reason=f"{places} both say {name} {value}; which one counts is not known")
    if (config := config_with(value, names, root)) is not None:
        return BatchSource(reason=f"{config} says {value}; change it there")
    wanted = names[0] if len(names) == 1 else "batch_size"
    return BatchSource(reason=f"the script does not say {wanted} {value} anywhere as a number")


def readable(path: Path) -> Source | None:
    try:
        return Source(path)
    except NoLiteral:
        return None


class Follower:
    """Follows the batch size from the DataLoader to the number."""

    def __init__(self, value: int, maker: Sequence[Call]) -> None:
        self.value, self.maker = value, maker

    def literal(self) -> BatchLiteral:
        source = Source(Path(self.maker[0].path))
        call = call_at(source.tree, self.maker[0])
        given = keyword(call, "batch_size")
        if given is None and last_name(call.func).endswith("DataLoader") and len(call.args) > 1:
            given = call.args[1]
        if given is None:
            raise ByName  # a library makes it, from settings of its own
        return self._follow(source, given, 0, MOST_HOPS)

    def _follow(self, source: Source, node: ast.expr, depth: int, hops: int) -> BatchLiteral:
        """`depth`: in which call of self.maker the expression stands."""
        if is_whole_number(node):
            literal = source.literal(node)  # type: ignore[arg-type]
            if literal.value != self.value:
                raise NoLiteral(
                    f"{source.path.name}:{literal.line} says {literal.value}, but batches have {self.value}"
                )
            return literal
        if isinstance(node, ast.Attribute):
            raise ByName(node.attr)
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Constant)
            and isinstance(node.slice.value, str)
        ):
            raise ByName(node.slice.value)
        if not isinstance(node, ast.Name) or hops == 0:
            text = ast.unparse(node)
            raise NoLiteral(f"the batch size is computed ({text[:60]}); write it as a number to have it edited")
        return self._follow_name(source, node, depth, hops - 1)

    def _follow_name(self, source: Source, node: ast.Name, depth: int, hops: int) -> BatchLiteral:
        function = function_around(source.tree, node)
        if function is not None:
            bindings = [one for one in ast.walk(function) if binds(one, node.id)]
            if any(argument.arg == node.id for argument in all_arguments(function)) and not bindings:
                return self._follow_parameter(source, function, node.id, depth, hops)
            if bindings:
                return self._follow(source, only_value(function, node.id, len(bindings)), depth, hops)
        imported = [
            one
            for one in ast.walk(source.tree)
            if isinstance(one, ast.ImportFrom) and any((alias.asname or alias.name) == node.id for alias in one.names)
        ]
        if imported:
            raise ByName(next(a.name for a in imported[0].names if (a.asname or a.name) == node.id))
        return self._follow(source, constant_named(source.tree, node.id), depth, hops)

    def _follow_parameter(self, source: Source, function: Function, name: str, depth: int, hops: int) -> BatchLiteral:
        if depth + 1 >= len(self.maker):
            raise ByName(name)
        around = Source(Path(self.maker[depth + 1].path))
        call = call_at(around.tree, self.maker[depth + 1])
        given = keyword(call, name)
        names = [argument.arg for argument in [*function.args.posonlyargs, *function.args.args]]
        if given is None and name in names:
            place = names.index(name) - (names[:1] in (["self"], ["cls"]))
            if 0 <= place < len(call.args) and not any(isinstance(one, ast.Starred) for one in call.args):
                given = call.args[place]
        if given is not None:
            return self._follow(around, given, depth + 1, hops)
        if any(one.arg is None for one in call.keywords):
            raise ByName(name)
        default = default_named(function, name)
        if default is None:
            raise ByName(name)
        return self._follow(source, default, depth, hops)


def only_value(function: ast.AST, name: str, bindings: int) -> ast.expr:
    found = [
        node.value
        for node in ast.walk(function)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and assigns(node, name) and node.value is not None
    ]
    if len(found) != 1 or bindings != 1:
        raise NoLiteral(f"{name} is set more than once; write the number itself to have it edited")
    return found[0]


def last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((one.value for one in call.keywords if one.arg == name), None)


def call_at(tree: ast.Module, call: Call) -> ast.Call:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset) == call.place:
                return node
    raise ByName


def function_around(tree: ast.Module, node: ast.AST) -> Function | None:
    """The innermost one."""
    around = None
    for one in ast.walk(tree):  # outer ones come first
        if isinstance(one, Function) and any(inner is node for inner in ast.walk(one)):
            around = one
    return around


def default_named(function: Function, name: str) -> ast.expr | None:
    positional = [*function.args.posonlyargs, *function.args.args]
    pairs = [
        *zip(positional[::-1], function.args.defaults[::-1], strict=False),
        *zip(function.args.kwonlyargs, function.args.kw_defaults, strict=False),
    ]
    return next((default for argument, default in pairs if argument.arg == name), None)


# What is only known by its name.


def same_name(text: object, name: str) -> bool:
    if not isinstance(text, str):
        return False
    return text.lstrip("-").replace("-", "_").lower() == name.lower()


def numbers_named(tree: ast.Module, name: str, value: int) -> Iterator[ast.Constant]:
    """Numbers of this value under this name: assigned, as a keyword, in a dict, as a default or as add_argument's."""
    for node in ast.walk(tree):
        for number in values_named(node, name):
            if isinstance(number, ast.Constant) and type(number.value) is int and number.value == value:
                yield number


def values_named(node: ast.AST, name: str) -> Iterator[ast.expr | None]:
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(one, (ast.Name, ast.Attribute)) and same_name(last_name(one), name) for one in targets):
            yield node.value
    elif isinstance(node, ast.Call):
        if is_option_of(node, name):
            yield keyword(node, "default")
        elif not last_name(node.func).endswith("DataLoader"):  # an evaluation's, perhaps
            yield from (one.value for one in node.keywords if same_name(one.arg, name))
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and same_name(key.value, name):
                yield value
    elif isinstance(node, Function):
        yield from (default_named(node, one.arg) for one in all_arguments(node) if same_name(one.arg, name))


def is_option_of(call: ast.Call, name: str) -> bool:
    """Whether it is add_argument(…, "--name") or click's option("--name"), or sets it as its destination."""
    if last_name(call.func) not in ("add_argument", "option", "Option", "DEFINE_integer"):
        return False
    target = keyword(call, "dest")
    said = [*call.args, *([target] if target is not None else [])]
    return any(isinstance(one, ast.Constant) and same_name(one.value, name) for one in said)


def flags_of(tree: ast.Module, names: Sequence[str]) -> Iterator[str]:
    """All ways in which such an option may be written."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and any(is_option_of(node, name) for name in names):
            yield from (one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str))


def argument_of(value: int, names: Sequence[str], flags: set[str], arguments: Sequence[str]) -> Argument | None:
    """--batch-size 64, --batch-size=64, -b64, batch_size=64, train.batch_size=64."""
    for index, word in enumerate(arguments):
        flag, _, given = word.rpartition("=")
        if flag and given == str(value):
            last = flag.lstrip("+").rpartition(".")[2]
            if flag in flags or any(same_name(last, name) for name in names):
                return Argument(index, f"{flag}=")
        before = arguments[index - 1] if index > 0 else ""
        if word == str(value) and before.startswith("-"):
            last = before.rpartition(".")[2]
            if before in flags or any(same_name(last, name) for name in names):
                return Argument(index, "")
        short = next((flag for flag in flags if len(flag) == 2 and word == f"{flag}{value}"), None)
        if short is not None:
            return Argument(index, short)
    return None


def config_with(value: int, names: Sequence[str], root: Path) -> str | None:
    """ "conf/train.yaml:12", if a file of settings says so."""
    said = re.compile(rf"""["']?({"|".join(map(re.escape, names))})["']?\s*[:=]\s*{value}\b""", re.IGNORECASE)
    for path in config_files(root):
        try:
            lines = path.read_text(encoding="utf-8").splitlines() if path.stat().st_size < MOST_CONFIG_BYTES else []
        except (OSError, UnicodeDecodeError):
            continue
        for number, line in enumerate(lines, start=1):
            if said.search(line):
                return f"{path.relative_to(root)}:{number}"
    return None


def config_files(root: Path) -> list[Path]:
    found: list[Path] = []
    for folder, below, files in os.walk(root):
        below[:] = sorted(one for one in below if not one.startswith(".") and one not in ("outputs", "site-packages"))
        found += [Path(folder) / one for one in sorted(files) if one.endswith(CONFIGS)]
        if len(found) >= MOST_CONFIGS:
            break
    return found[:MOST_CONFIGS]
