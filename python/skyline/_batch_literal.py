"""Where the batch size stands in the source: the one literal that an edit replaces, or why there is none."""

import ast
import codecs
import functools
import hashlib
import inspect
import io
import tokenize
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._contract import place_of

PARAMETER = "batch_size"
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class NoLiteral(Exception):
    """Why the batch size cannot be edited; a sentence for the user."""


@dataclass(frozen=True)
class BatchLiteral:
    """A whole number in a file. Bytes count from the file's start; columns are editors' (UTF-16, from 0)."""

    path: Path
    value: int
    begin_byte: int
    end_byte: int
    line: int  # from 1
    begin_column: int
    end_column: int
    file_hash: str  # SHA-256 of the whole file


def find_batch_literal(input_provider: Any, entry_point: Path) -> BatchLiteral:
    """The default of the provider's batch_size, or of the constant that it names; raises NoLiteral."""
    if isinstance(input_provider, functools.partial) and PARAMETER in input_provider.keywords:
        raise NoLiteral(f"{PARAMETER} is bound by functools.partial; give it a default in the function")
    path, first_line = place_of(input_provider, entry_point)
    source = Source(path)
    default = default_of(function_at(source.tree, first_line))
    if isinstance(default, ast.Name):
        default = constant_named(source.tree, default.id)
    if not is_whole_number(default):
        raise NoLiteral(f"the default of {PARAMETER} is computed; write it as a number to have it edited")
    literal = source.literal(default)  # type: ignore[arg-type]
    if literal.value != inspect.signature(input_provider).parameters[PARAMETER].default:
        raise NoLiteral(f"the file says {literal.value}, but {PARAMETER} has another default when it runs")
    return literal


def is_whole_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def function_at(tree: ast.Module, first_line: int) -> Function:
    """The function whose code begins in this line: at its first decorator, its def, or its lambda."""
    found: list[Function] = []
    for node in ast.walk(tree):
        if not isinstance(node, Function):
            continue
        decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
        begins = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        if begins == first_line and any(argument.arg == PARAMETER for argument in all_arguments(node)):
            found.append(node)
    if len(found) != 1:
        raise NoLiteral(f"the function that declares {PARAMETER} is not found in its file")
    return found[0]


def all_arguments(function: Function) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def default_of(function: Function) -> ast.expr:
    positional = [*function.args.posonlyargs, *function.args.args]
    pairs = [
        *zip(positional[::-1], function.args.defaults[::-1]),
        *zip(function.args.kwonlyargs, function.args.kw_defaults),
    ]
    for argument, default in pairs:
        if argument.arg == PARAMETER and default is not None:
            return default
    raise NoLiteral(f"{PARAMETER} has no default")


def constant_named(tree: ast.Module, name: str) -> ast.expr:
    """The value of a name that this file binds just once, in a plain assignment at the top."""
    bindings = [node for node in ast.walk(tree) if binds(node, name)]
    if not bindings:
        raise NoLiteral(f"{name} is not set in this file; set it here, or write the number itself")
    if any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in bindings):
        raise NoLiteral(f"{name} comes from another file; set it here, or write the number itself")
    at_top = [node for node in tree.body if isinstance(node, (ast.Assign, ast.AnnAssign)) and assigns(node, name)]
    if len(bindings) != 1 or len(at_top) != 1 or at_top[0].value is None:
        raise NoLiteral(f"{name} is set more than once, or not at the top of the file; write the number itself")
    return at_top[0].value


def assigns(node: ast.Assign | ast.AnnAssign, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def binds(node: ast.AST, name: str) -> bool:
    """Whether the node gives the name a value; also in functions, which may have declared it global."""
    if isinstance(node, ast.Name):
        return node.id == name and isinstance(node.ctx, (ast.Store, ast.Del))
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return any((alias.asname or alias.name.split(".")[0]) == name for alias in node.names)
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name == name


class Source:
    """A file as Python sees it, and as bytes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.bytes = path.read_bytes()
            self.encoding, _ = tokenize.detect_encoding(io.BytesIO(self.bytes).readline)
            self.tree = ast.parse(self.bytes)
        except (OSError, SyntaxError, ValueError) as error:
            raise NoLiteral(f"{path} cannot be read as Python: {error}") from None

    def literal(self, node: ast.Constant) -> BatchLiteral:
        begin_byte, begin_column = self.place(node.lineno, node.col_offset)
        end_byte, end_column = self.place(node.end_lineno or node.lineno, node.end_col_offset or 0)
        text = self.bytes[begin_byte:end_byte].decode(self.encoding.removesuffix("-sig"), "replace")
        try:
            same = ast.literal_eval(text) == node.value
        except (SyntaxError, ValueError):
            same = False
        if not same:
            raise NoLiteral(f"{self.path} is written in a way in which {PARAMETER} cannot be placed")
        file_hash = hashlib.sha256(self.bytes).hexdigest()
        return BatchLiteral(
            self.path,
            node.value,  # type: ignore[arg-type]
            begin_byte,
            end_byte,
            node.lineno,
            begin_column,
            end_column,
            file_hash,
        )

    def place(self, line: int, utf8_offset: int) -> tuple[int, int]:
        """(byte in the file, UTF-16 column) of what Python names by line and bytes of UTF-8 in it."""
        encoding = self.encoding.removesuffix("-sig")
        lines = self.bytes.splitlines(keepends=True)
        before = sum(len(text) for text in lines[: line - 1])
        raw = lines[line - 1]
        mark = len(codecs.BOM_UTF8) if line == 1 and raw.startswith(codecs.BOM_UTF8) else 0
        prefix = raw[mark:].decode(encoding).encode()[:utf8_offset].decode()
        return before + mark + len(prefix.encode(encoding)), len(prefix.encode("utf-16-le")) // 2
