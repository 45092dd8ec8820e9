"""The benches that need torch run; what they measure is for quiet machines."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from training.live_session import GOOD

BENCHES = Path(__file__).resolve().parents[1] / "bench"


def ask(environment: dict[str, str], *arguments: str, program: str = "collect_loops.py") -> dict:
    command = [sys.executable, BENCHES / program, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def show(environment: dict[str, str], binary: Path, bench: str, *arguments: str) -> str:
    """What a bench of sessions prints, with the shortest budget."""
    options = ["--budget=1", "--no-goals", f"--python={sys.executable}", f"--binary={binary}"]
    command = [sys.executable, BENCHES / bench, *arguments, *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_way_to_record_is_measured_in_every_loop(environment: dict[str, str]) -> None:
    answer = ask(environment, "loops", "--rounds=1", "--ops=100", "--depths", "5", "50")
    assert len(answer) == 6
    for measured in answer.values():
        assert measured["ops"] > 0 and len(measured["seconds"]) == 9
        assert all(len(seconds) == 1 and seconds[0] > 0 for seconds in measured["seconds"].values())


def test_a_tight_loop_is_kept_whole_and_a_full_file_says_so(environment: dict[str, str]) -> None:
    whole = ask(environment, "endurance", "--seconds=1")
    assert (whole["trouble"], whole["dropped"]) == ("", 0) and whole["records"] >= whole["ops"]
    full = ask(environment, "endurance", "--seconds=2", "--max-file-bytes=100000")
    assert "has reached its limit" in full["trouble"] and full["records"] < full["ops"]


def test_a_program_is_sampled_at_some_depth_and_while_everything_comes_and_goes(environment: dict[str, str]) -> None:
    for question in (["cost", "--depth=50", "--seconds=0.5"], ["churn", "--hz=1000", "--samples=200", "--round=0.5"]):
        answer = ask(environment, *question, program="sampling_loops.py")
        assert answer["samples"] > 0 and answer["cost_ns"] > 0 and answer["wall_s"] > 0, question
        assert answer["torn"] <= answer["samples"] / 100, question


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A model whose iterations take no time."""
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "entry_point.py").write_text(GOOD)
    return folder


def test_a_live_session_is_measured_from_each_save_on(
    environment: dict[str, str], skyline_binary: Path, small: Path
) -> None:
    shown = show(environment, skyline_binary, "bench_interactive.py", "--rounds=1", f"--project={small}")
    for row in ("one iteration", "first throughput", "breakdowns", "whole result", "copy of the zy", "fresh process"):
        (line,) = [one for one in shown.splitlines() if one.startswith("small ") and row in one]
        assert all(0 <= float(seconds) < 1000 for seconds in line.replace(" s", "").split()[-2:]), line


def test_predictions_are_held_against_measurements(
    environment: dict[str, str], skyline_binary: Path, small: Path
) -> None:
    shown = show(environment, skyline_binary, "bench_predictions.py", str(small))
    (line,) = [one for one in shown.splitlines() if one.startswith("small ")]
    predictions, *errors = line.replace(" %", "").split()[1:]
    assert int(predictions) > 0
    assert len(errors) == 3 and all(0 <= float(error) < 1000 for error in errors), line
