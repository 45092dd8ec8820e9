"""The options of `skyline run`; what it records is tested with torch in tests/training."""

from pathlib import Path

import pytest

from skyline import _run
from skyline.__main__ import main


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
