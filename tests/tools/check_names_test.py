"""check_names.py must find what would break a build in batches, and nothing else."""

from pathlib import Path

import pytest

from check_names import clashes

ROOT = Path(__file__).resolve().parents[2]


def found(folder: Path, first: str, second: str, names: tuple[str, str] = ("a.cpp", "b.cpp")) -> list[str]:
    (folder / "trace").mkdir()
    for name, body in zip(names, (first, second), strict=True):
        text = f"namespace skyline {{\nnamespace {{\n\n{body}\n}}  // namespace\n}}  // namespace skyline\n"
        (folder / "trace" / name).write_text(text)
    return clashes(folder)


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [
        ("struct Part {\n  int a;\n};\n", "class Part {\n};\n", "Part"),
        ("constexpr size_t kMost = 3;\n", "constexpr int kMost = 4;\n", "kMost"),
        ("constexpr int kWords[all().size()] = {\n", "constexpr std::array kWords = {\n", "kWords"),
        ("constexpr size_t kA = 3, kB = 4;\n", "constexpr int kB = 4, kC = 1;\n", "kB"),
        ("double median(std::vector<double> values) {\n", "double median(std::vector<double> all) {\n", "median("),
        ("int f(const Trace& trace,\n      int b) {\n", "int f(const Trace& t, int c) {\n", "f(const Trace&, int)"),
    ],
)
def test_a_clash_is_found(tmp_path: Path, first: str, second: str, name: str) -> None:
    (line,) = found(tmp_path, first, second)
    assert line.startswith(name)
    assert line.endswith("trace/a.cpp and trace/b.cpp")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("using Clock = std::chrono::steady_clock;\n", "using Clock = std::chrono::steady_clock;\n"),
        ("int f(int a) {\n", "int f(double a) {\n"),
        ("int f(int a) {\n  const int x = 1;\n", "int g(int a) {\n  const int x = 1;\n"),
    ],
)
def test_what_may_stand_twice_is_no_clash(tmp_path: Path, first: str, second: str) -> None:
    assert found(tmp_path, first, second) == []


def test_a_test_is_another_program_than_its_layer(tmp_path: Path) -> None:
    assert found(tmp_path, "struct Part {\n};\n", "struct Part {\n};\n", ("a.cpp", "a_test.cpp")) == []


def test_this_tree_has_none() -> None:
    assert clashes(ROOT / "src") == []
