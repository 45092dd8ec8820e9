"""Entry points: every way to write a provider, and what is said of wrong ones."""

import textwrap
from pathlib import Path

import pytest

from skyline import _contract
from skyline._contract import ContractError, EntryPoint

GOOD = """
def skyline_model_provider():
    return lambda x: x
def skyline_input_provider(batch_size=32):
    return (batch_size,)
def skyline_iteration_provider(model):
    return lambda x: model(x)
"""


@pytest.fixture
def load(tmp_path: Path, own_imports: None):
    def write_and_load(code: str, **files: str) -> EntryPoint:
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
        path = tmp_path / "entry.py"
        path.write_text(textwrap.dedent(code))
        return _contract.load(path)

    return write_and_load


def other(name: str, text: str) -> str:
    """The good entry point with one provider written in another way."""
    lines = GOOD.strip().splitlines()
    at = next(i for i, line in enumerate(lines) if f"skyline_{name}" in line)
    return "\n".join([*lines[:at], *lines[at + 2 :], textwrap.dedent(text)])


def test_a_good_entry_point_gives_model_inputs_and_iteration(load) -> None:
    entry = load(GOOD)
    assert entry.batch_size == 32
    assert entry.inputs() == (32,) and entry.inputs(5) == (5,)
    assert entry.iteration(entry.model())(7) == 7


def test_deepviews_names_work_too(load) -> None:
    assert load(GOOD.replace("skyline_", "deepview_")).inputs() == (32,)


@pytest.mark.parametrize(
    "text",
    [
        "def skyline_input_provider(*, batch_size=48): return (batch_size,)",
        "def skyline_input_provider(batch_size: int = 48) -> tuple[int]: return (batch_size,)",
        "def skyline_input_provider(batch_size=48, size=3): return (batch_size,)",
        "skyline_input_provider = lambda batch_size=48: (batch_size,)",
        "from inputs import give as skyline_input_provider",
        """
        import functools
        def loud(function):
            @functools.wraps(function)
            def inner(*arguments, **named):
                return function(*arguments, **named)
            return inner
        @loud
        def skyline_input_provider(batch_size=48): return (batch_size,)
        """,
        """
        class Inputs:
            def __call__(self, batch_size=48): return (batch_size,)
        skyline_input_provider = Inputs()
        """,
        """
        import functools
        skyline_input_provider = functools.partial(lambda size, batch_size=48: (batch_size,), 3)
        """,
    ],
    ids=["keyword-only", "annotated", "more defaults", "lambda", "imported", "decorated", "object", "partial"],
)
def test_every_way_to_write_a_provider(load, text: str) -> None:
    entry = load(other("input_provider", text), inputs="def give(batch_size=48): return (batch_size,)")
    assert entry.batch_size == 48 and entry.inputs(2) == (2,)


@pytest.mark.parametrize(
    ("name", "text", "line", "sentence"),
    [
        ("model_provider", "", 1, "skyline_model_provider is missing; write `def skyline_model_provider():`"),
        ("model_provider", "def skyline_model_provider(size): pass", 5, "takes no arguments, but wants size"),
        ("model_provider", "skyline_model_provider = 3", 5, "is a value of type int, not a function"),
        ("input_provider", "def skyline_input_provider(): pass", 5, "needs a parameter batch_size"),
        ("input_provider", "def skyline_input_provider(batch_size): pass", 5, "needs a whole number of at least 1"),
        ("input_provider", "def skyline_input_provider(batch_size=True): pass", 5, "needs a whole number"),
        ("input_provider", "def skyline_input_provider(batch_size=0): pass", 5, "needs a whole number"),
        ("input_provider", "def skyline_input_provider(size, batch_size=3): pass", 5, "but also wants size"),
        ("input_provider", "def skyline_input_provider(batch_size=3, /): pass", 5, "which its / does not allow"),
        ("iteration_provider", "def skyline_iteration_provider(): pass", 5, "takes the model and nothing else"),
        ("iteration_provider", "def skyline_iteration_provider(a, b): pass", 5, "takes the model and nothing else"),
        ("iteration_provider", "def skyline_iteration_provider(*, model): pass", 5, "takes the model and nothing"),
    ],
)
def test_a_wrong_declaration_is_said_with_its_line(load, name: str, text: str, line: int, sentence: str) -> None:
    with pytest.raises(ContractError) as caught:
        load(other(name, text))
    assert sentence in caught.value.sentence and "; write `def skyline_" in caught.value.sentence
    assert (caught.value.path.name, caught.value.line) == ("entry.py", line)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("model_provider", "def skyline_model_provider():\n    pass", "must return a model that can be called"),
        ("input_provider", "def skyline_input_provider(batch_size=1):\n    return 3", "not a value of type int"),
        ("input_provider", "def skyline_input_provider(batch_size=1):\n    return {}", "not a value of type dict"),
        ("iteration_provider", "def skyline_iteration_provider(model):\n    return 1", "runs one iteration"),
    ],
)
def test_a_wrong_answer_is_said_with_the_providers_line(load, name: str, text: str, sentence: str) -> None:
    entry = load(other(name, text))
    with pytest.raises(ContractError, match=sentence) as caught:
        entry.iteration(entry.model())
        entry.inputs()
    assert (caught.value.path.name, caught.value.line) == ("entry.py", 5)


def test_a_syntax_error_is_said_with_its_line(load) -> None:
    with pytest.raises(ContractError, match="this is not Python") as caught:
        load(GOOD.strip() + "\ndef oh(:\n")
    assert (caught.value.path.name, caught.value.line) == ("entry.py", 7)


def test_an_exception_is_blamed_on_the_projects_own_innermost_line(load) -> None:
    model = "import json\ndef build():\n    return json.loads('{')"
    entry = load(other("model_provider", "from nets import build as skyline_model_provider"), nets=model)
    with pytest.raises(ContractError, match="the model provider raised JSONDecodeError") as caught:
        entry.model()
    assert (caught.value.path.name, caught.value.line) == ("nets.py", 3)


def test_an_exception_while_loading_is_said_with_its_line(load) -> None:
    with pytest.raises(ContractError, match="the entry point raised ZeroDivisionError: division by zero") as caught:
        load(GOOD.strip() + "\nx = 1 / 0\n")
    assert caught.value.line == 7


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(_contract.Error, match="there is no entry point"):
        _contract.load(tmp_path / "nothing.py")
