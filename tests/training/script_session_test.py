"""Training scripts as people write them, in a session's worker: their steps, their samples, and another batch size."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
Found = dict[str, Any]

# Name of the case: script, arguments.
CASES: dict[str, tuple[str, list[str]]] = {
    "plain": ("plain.py", []),
    "trainer": ("trainer.py", []),
    "gan": ("gan.py", []),
    "accumulate": ("accumulate.py", []),
    "default": ("arguments.py", ["--epochs", "200"]),
    "argument": ("arguments.py", ["--epochs", "200", "--batch-size", "40"]),
    "short argument": ("arguments.py", ["--epochs=200", "-b40"]),
    "wrong arguments": ("arguments.py", []),
    "settings": ("settings.py", []),
    "override": ("settings.py", ["batch_size=50"]),
    "notebook": ("notebook.py", []),
    "get_batch": ("get_batch.py", []),
    "compiled": ("get_batch.py", ["--compile"]),
    "library": ("library.py", []),
    "short": ("short.py", []),
    "ranks": ("ranks.py", []),
    "nothing": ("nothing.py", []),
    "raises": ("raises.py", []),
}

# Not the user's: it lies in a site-packages folder.
INSTALLED = """
import torch
from torch.utils.data import DataLoader
def fit(model, data, settings):
    optimizer = torch.optim.SGD(model.parameters(), lr=settings.learning_rate)
    for _ in range(100):
        for inputs, targets in DataLoader(data, batch_size=settings.per_device_train_batch_size):
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(inputs), targets).backward()
            optimizer.step()
"""
RAISES = (
    (HERE / "scripts/short.py").read_text().replace("optimizer.step()", 'optimizer.step()\n    raise KeyError("x")')
)


@pytest.fixture(scope="module")
def found(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Found:
    folder = tmp_path_factory.mktemp("scripts") / "project"
    shutil.copytree(HERE / "scripts", folder)
    site = folder / "site-packages"
    site.mkdir()
    (site / "installed.py").write_text(INSTALLED)
    (folder / "nothing.py").write_text("import torch\nprint(torch.ones(2))\n")
    (folder / "raises.py").write_text(RAISES)
    done = subprocess.run(
        [sys.executable, HERE / "script_worker.py", folder, json.dumps(CASES)],
        env=environment | {"PYTHONPATH": f"{environment['PYTHONPATH']}:{site}"},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert done.returncode == 0, done.stderr
    answers: Found = json.loads(done.stdout)
    return answers


@pytest.mark.parametrize(
    ("name", "batch_size", "samples", "place"),
    [
        ("plain", 16, 16, "plain.py:7"),
        ("trainer", 8, 8, "trainer.py:47"),
        ("gan", 32, 32, "gan.py:14"),
        ("accumulate", 4, 16, "accumulate.py:8"),
        ("default", 10, 10, "arguments.py:13"),
        ("notebook", 12, 12, "notebook.py:18"),
        ("get_batch", 6, 6, "get_batch.py:8"),
        ("compiled", 6, 6, "get_batch.py:8"),
        ("library", 14, 14, "library.py:14"),
    ],
)
def test_the_batch_size_is_found_and_edited(found: Found, name: str, batch_size: int, samples: int, place: str) -> None:
    loaded = found[name]["loaded"]
    assert loaded["is"] == "loaded", loaded
    assert (loaded["batch_size"], loaded["samples"], loaded["other_sizes"]) == (batch_size, samples, "edit"), loaded
    assert f"{Path(loaded['literal']['path']).name}:{loaded['literal']['line']}" == place
    # With the very edit that would be applied, and nothing else.
    assert found[name]["other"]["batch_size"] == 24, found[name]["other"]
    assert found[name]["other"]["samples"] == 24 * samples // batch_size


@pytest.mark.parametrize(
    ("name", "batch_size", "said"),
    [("argument", 40, "--batch-size 40"), ("short argument", 40, "-b40"), ("override", 50, "batch_size=50")],
)
def test_an_argument_that_gives_the_batch_size_is_changed_for_another_and_named(
    found: Found, name: str, batch_size: int, said: str
) -> None:
    loaded = found[name]["loaded"]
    assert (loaded["batch_size"], loaded["other_sizes"], loaded["literal"]) == (batch_size, "argument", None), loaded
    assert loaded["no_literal"] == f"the command line says {said}; change it there"
    assert found[name]["other"]["batch_size"] == 24


def test_a_file_of_settings_is_named_and_not_edited(found: Found) -> None:
    loaded = found["settings"]["loaded"]
    assert (loaded["batch_size"], loaded["other_sizes"], loaded["literal"]) == (20, "loaders", None), loaded
    assert loaded["no_literal"] == "settings.yaml:2 says 20; change it there"
    assert found["settings"]["other"]["batch_size"] == 24


def trained(found: Found) -> list[str]:
    return [name for name in found if found[name]["loaded"]["is"] == "loaded" and name != "short"]


def test_every_step_is_timed_with_its_samples(found: Found) -> None:
    names = trained(found)
    assert len(names) == 13
    for name in names:
        timed, loaded = found[name]["timed"], found[name]["loaded"]
        assert len(timed["durations_ns"]) == 20 and min(timed["durations_ns"]) > 0, name
        if name not in ("get_batch", "compiled"):
            assert max(set(timed["samples"]), key=timed["samples"].count) == loaded["samples"], name
        assert [0 < data < all for data, all in zip(timed["data_ns"], timed["durations_ns"])] == [
            loaded["script_workers"] == 0
        ] * 20, name
        assert loaded["script_workers"] == (-1 if name in ("get_batch", "compiled") else 0)


def test_steps_of_the_recording_are_those_that_were_asked_for(found: Found, ask: Callable[..., Any]) -> None:
    for name in trained(found):
        info = ask("info", found[name]["stopped"]["path"])
        assert info["ranks"][0]["figures"]["trace.steps"]["value"] == 2, name


def test_a_script_that_ends_early_says_so_and_gives_what_it_had(found: Found) -> None:
    timed = found["short"]["timed"]
    assert (
        timed["is_over"] and len(timed["durations_ns"]) <= 2
    )  # of six: three are run to know the loop, one is the first


def test_what_cannot_be_a_session_is_told_with_its_line_and_a_cure(found: Found) -> None:
    def said(name: str) -> str:
        error = found[name]["loaded"]
        assert error["is"] == "error", error
        return f"{Path(error['path']).name}:{error['line']}: {error['sentence']}"

    assert said("ranks").startswith("ranks.py:15: ranks.py starts 2 ranks, but a session runs one process; ")
    assert said("nothing").startswith("nothing.py:1: nothing.py has ended without a step of a torch.optim optimizer; ")
    assert "a script that trains, or an entry point with skyline_model_provider" in said("nothing")
    assert said("raises") == "raises.py:13: raises.py raised KeyError: 'x'"
    assert said("wrong arguments").startswith("arguments.py:14: arguments.py ends the program with sys.exit(2)")
