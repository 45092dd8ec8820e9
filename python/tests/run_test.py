"""The options of `skyline run`; what it records is tested with torch in tests/training."""

import re
from pathlib import Path

import pytest

from skyline import _run
from skyline.__main__ import main

ROOT = Path(__file__).resolve().parents[2]


def test_everything_is_recorded_unless_switched_off() -> None:
    options = _run.parser().parse_args(["--no-memory", "train.py"])
    assert (options.shapes, options.stack, options.memory, options.max_seconds) == (True, True, False, 60)


def test_what_follows_the_script_is_the_scripts() -> None:
    options = _run.parser().parse_args(["-o", "out.skyline", "train.py", "--shapes", "-m", "x"])
    assert options.output == Path("out.skyline")
    assert (options.program, options.arguments, options.module) == ("train.py", ["--shapes", "-m", "x"], False)


def test_a_module_is_run_like_pythons() -> None:
    options = _run.parser().parse_args(["-m", "package.train", "--epochs", "3"])
    assert (options.program, options.arguments, options.module) == ("package.train", ["--epochs", "3"], True)


def test_a_missing_script_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "nowhere.py"]) == 2
    assert capsys.readouterr().err == "skyline: there is no script nowhere.py\n"


@pytest.mark.parametrize("words", [["--steps", "-1"], ["--max-seconds", "nan"], ["--after-steps", "x"], []])
def test_wrong_words_are_one_sentence(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", *words]) == 2
    said = capsys.readouterr().err
    assert said.startswith("skyline: ")
    assert said.endswith("; see skyline run --help\n")
    assert said.count("\n") == 1


def test_the_programs_help_lists_the_options_that_we_read() -> None:
    said = (ROOT / "tests/golden/help_of_run_lists_its_options/expect.txt").read_text()
    listed = set(re.findall(r"--[a-z-]+", said.partition("\nOptions\n")[2])) - {"--python", "--help", "--epochs"}
    known = {name for action in _run.parser()._actions for name in action.option_strings if name.startswith("--")}
    assert listed == known - {"--help", "--shapes", "--stack", "--memory", "--samples", "--report"}
