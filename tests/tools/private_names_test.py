"""Names that belong to torch or Python alone are spoken in one file of the package, python/skyline/_private.py, which
has an answer for the day on which they are gone (tests/training/private_names_test.py)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "python/skyline"
FILES = sorted(path for path in PACKAGE.glob("*.py") if path.name != "_private.py")
STRANGERS = {"sys", "os", "torch", "threading", "tempfile", "dis", "gc", "inspect", "types"}
DOCUMENTED = {"_exit", "_fields"}  # as for everybody


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in DOCUMENTED


def root_of(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def private_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr) and root_of(node.value) in STRANGERS:
            yield f"{root_of(node.value)}….{node.attr}"
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            parts = (node.module or "").split(".")
            yield from (part for part in parts + [alias.name for alias in node.names] if is_private(part))
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if any(map(is_private, alias.name.split("."))))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr"):
            asked = [word.value for word in node.args[1:2] if isinstance(word, ast.Constant)]
            yield from (name for name in asked if is_private(name))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_private_names_of_others_are_in_one_file(path: Path) -> None:
    assert list(private_names(ast.parse(path.read_text()))) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import torch\ntorch._C._log_api()", ["torch…._log_api", "torch…._C"]),
        ("from torch._dynamo import callback", ["_dynamo"]),
        ("import torch._inductor", ["torch._inductor"]),
        ("import sys\nsys._getframe()", ["sys…._getframe"]),
        ("getattr(x, '_dataset', None)", ["_dataset"]),
        ("self._own(); from ._own import x; os.path.join()", []),
    ],
)
def test_what_counts_as_private(text: str, found: list[str]) -> None:
    assert list(private_names(ast.parse(text))) == found
