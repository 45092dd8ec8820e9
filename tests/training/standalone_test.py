"""`skyline time`, `memory`, `analysis` and `evaluate`: one entry point, one file, everything adds up."""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from training.live_session import WASTEFUL
from training.skyline_05_reports import read_memory_report, read_time_report

ROOT = Path(__file__).resolve().parents[2]
Result = subprocess.CompletedProcess
Skyline = Callable[..., "Result[str]"]

TINY = """
import torch
from torch import nn

def skyline_model_provider():
    return nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 8))

def skyline_input_provider(batch_size=16):
    return (torch.randn(batch_size, 64),)

def skyline_iteration_provider(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    def iteration(inputs):
        optimizer.zero_grad()
        model(inputs).sum().backward()
        optimizer.step()
    return iteration
"""


@pytest.fixture
def skyline(environment: dict[str, str], skyline_binary: Path, tmp_path: Path) -> Skyline:
    """skyline(command, *arguments, VARIABLE=value…): in a folder of its own, with this Python."""

    def run(command: str, *arguments: str | Path, **variables: str) -> "Result[str]":
        return subprocess.run(
            [skyline_binary, command, *arguments, "--python", sys.executable],
            cwd=tmp_path,
            env=environment | variables,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run


@pytest.fixture
def cnn(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "examples/cnn", tmp_path / "cnn")) / "entry_point.py"


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.py"
    path.write_text(TINY)
    return path


def line_of(path: Path, text: str) -> int:
    return next(number for number, line in enumerate(path.read_text().splitlines(), 1) if text in line)


def rows(path: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def test_time_has_one_entry_for_each_operator_call(skyline: Skyline, cnn: Path, tmp_path: Path) -> None:
    done = skyline("time", cnn, "-o", "time.sqlite", "--budget", "3")
    assert done.returncode == 0, done.stderr
    assert "time.sqlite: " in done.stdout and "samples/s" in done.stdout
    entries = read_time_report(tmp_path / "time.sqlite")
    convolutions = [entry for entry in entries if entry.operation_name == "conv2d"]
    assert len(convolutions) == 6, "three blocks of two"
    assert all(entry.forward_ms > 0 and entry.backward_ms and entry.backward_ms > 0 for entry in convolutions)
    assert {entry.place.file_path for entry in entries if entry.place} == {"model.py", "entry_point.py"}
    first = line_of(cnn.with_name("model.py"), "self.first(x)")
    assert convolutions[0].place and convolutions[0].place.line_number == first
    # Instances of nn.Module keep their names, though all are called from one line.
    report = tmp_path / "time.sqlite"
    modules = "SELECT name FROM entry_modules JOIN modules ON module_id = modules.id"
    assert {"blocks.0.first", "blocks.1.first", "blocks.2.first"} <= {name for (name,) in rows(report, modules)}
    facts = dict(rows(report, "SELECT key, value FROM run_metadata"))
    assert facts["batch_size"] == "32" and facts["device"] == "cpu" and "torch.version" in facts
    spent_ms = sum(entry.forward_ms + (entry.backward_ms or 0) for entry in entries)
    assert 0 < spent_ms * 1e6 <= int(facts["recorded_ns"])
    samples = rows(
        report, "SELECT batch_size, median_ns, COUNT(*) FROM samples JOIN sample_iterations ON sample_id = id"
    )
    assert samples[0][0] == 32 and samples[0][1] > 0 and samples[0][2] >= 1


def test_memory_has_weights_and_activations_with_their_lines(skyline: Skyline, cnn: Path, tmp_path: Path) -> None:
    done = skyline("memory", cnn, "-o", "memory.sqlite", "--budget", "3")
    assert done.returncode == 0, done.stderr
    assert "Memory at the peak" in done.stdout and "memory.sqlite: " in done.stdout
    report = read_memory_report(tmp_path / "memory.sqlite")
    weights = {entry.name: entry for entry in report.weights}
    model = cnn.with_name("model.py")
    kernel = weights["blocks.0.second.weight"]
    assert kernel.size_bytes == kernel.grad_size_bytes == 16 * 16 * 9 * 4
    assert kernel.place and (kernel.place.file_path, kernel.place.line_number) == (
        "model.py",
        line_of(model, "self.second = "),
    )
    convolutions = [entry for entry in report.activations if entry.operation_name == "conv2d"]
    assert convolutions and all(entry.place and entry.place.file_path == "model.py" for entry in convolutions)
    weight_bytes = sum(entry.size_bytes for entry in report.weights)
    activation_bytes = sum(entry.size_bytes for entry in report.activations)
    assert 0 < weight_bytes + activation_bytes <= report.peak_usage_bytes


def test_page_faults_are_told_and_how_to_be_rid_of_them(skyline: Skyline, tmp_path: Path) -> None:
    (tmp_path / "wasteful.py").write_text(WASTEFUL)
    done = skyline("analysis", "wasteful.py", "-o", "analysis.json", "--budget", "3")
    assert done.returncode == 0, done.stderr
    assert re.search(r"% of the iteration is page faults, \d+ of them.* MALLOC_TRIM_THRESHOLD_=", done.stdout)
    analysis = json.loads((tmp_path / "analysis.json").read_text())
    faults = analysis["batch_sizes"]["page_faults"]
    assert faults["per_iteration"] > 10 * faults["kept_per_iteration"]
    assert faults["kept_median_ns"] < faults["median_ns"] == analysis["iteration"]["median_ns"]
    own, *others = analysis["batch_sizes"]["samples"]
    assert own["learnt_ns"] == pytest.approx(faults["median_ns"], rel=0.1)
    assert all(one["learnt_ns"] > one["median_ns"] for one in others)
    advice = dict(re.findall(r"(MALLOC_\w+)=(\d+)", done.stdout))
    kept = skyline("analysis", "wasteful.py", "-o", "kept.json", "--budget", "3", **advice)
    assert kept.returncode == 0 and "page faults" not in kept.stdout
    assert json.loads((tmp_path / "kept.json").read_text())["batch_sizes"]["page_faults"] is None


def expect_tree(nodes: list[Any], part: Callable[[Any], dict[str, int]]) -> None:
    """Own and children make the total, phase by phase or role by role."""
    rest = [dict(part(node["total"])) for node in nodes]
    for number, node in enumerate(nodes):
        for name, value in part(node["own"]).items():
            rest[number][name] -= value
        if node["parent"] is not None:
            for name, value in part(node["total"]).items():
                rest[node["parent"]][name] -= value
    assert len(nodes) > 3 and not any(any(left.values()) for left in rest)


def documented_keys() -> set[str]:
    table = re.findall(r"^\|.*\|$", (ROOT / "docs/analysis_json.md").read_text(), re.MULTILINE)
    return {key for row in table for key in re.findall(r"`(\w+)`", row)}


def keys_of(value: Any) -> set[str]:
    """All keys but those of the three objects that are by phase, by role and by name."""
    free = {"host_ns", "device_ns", "environment", "by_role", "own", "total"}
    if isinstance(value, list):
        return set().union(*map(keys_of, value))
    if not isinstance(value, dict):
        return set()
    return set(value).union(*(keys_of(part) for key, part in value.items() if key not in free))


def test_analysis_holds_everything_and_adds_up(skyline: Skyline, cnn: Path, tmp_path: Path) -> None:
    done = skyline("analysis", cnn, "-o", "analysis.json", "--budget", "3")
    assert done.returncode == 0, done.stderr
    assert "samples/s" in done.stdout and "analysis.json: " in done.stdout
    analysis = json.loads((tmp_path / "analysis.json").read_text())
    assert (analysis["schema"], analysis["version"]) == ("skyline.analysis", 1)
    assert keys_of(analysis) <= documented_keys()
    assert [file["path"] for file in analysis["run"]["files"]] == ["entry_point.py", "model.py"]
    time, memory, sizes = analysis["time"], analysis["memory"], analysis["batch_sizes"]
    for tree in (time["modules"], time["lines"]):
        expect_tree(tree, lambda times: times["host_ns"])
        assert sum(tree[0]["total"]["host_ns"].values()) == time["wall_ns"]
    expect_tree(memory["modules"], lambda roles: roles)
    peak = memory["peak_bytes"]
    assert peak == sum(memory["by_role"].values()) == sum(block["bytes"] for block in memory["blocks"])
    assert peak == sum(sum(line["total"].values()) for line in memory["lines"])
    assert sizes["samples"][0]["batch_size"] == analysis["run"]["batch_size"] == 32
    assert sizes["literal"]["value"] == 32 and sizes["literal"]["path"] == "entry_point.py"
    names = {node["name"] for node in time["modules"]}
    assert {"blocks.0.first", "blocks.1.first", "blocks.2.first", "head"} <= names


def test_dash_prints_nothing_but_json(skyline: Skyline, tiny: Path, tmp_path: Path) -> None:
    done = skyline("analysis", tiny, "-o", "-", "--budget", "1", "--batch-size", "24")
    assert done.returncode == 0, done.stderr
    analysis = json.loads(done.stdout)
    assert analysis["run"]["batch_size"] == 24 and analysis["run"]["entry_point_batch_size"] == 16
    assert analysis["iteration"]["samples_per_second"] > 0
    assert not list(tmp_path.glob("-*"))
    models = analysis["batch_sizes"]["models"]
    assert models and [one["batch_size"] for one in models["time_ns"]["predictions"]][:4] == [1, 2, 3, 4]


@pytest.mark.parametrize("command", ["time", "memory", "analysis"])
def test_an_existing_file_stays_without_force(skyline: Skyline, tiny: Path, tmp_path: Path, command: str) -> None:
    output = tmp_path / "report"
    output.write_text("precious")
    (tmp_path / "tiny.py").write_text(TINY + "\nopen('ran', 'w')\n")
    refused = skyline(command, tiny, "-o", output)
    assert refused.returncode == 2 and "exists already" in refused.stderr and "--force" in refused.stderr
    assert output.read_text() == "precious"
    assert not list(tmp_path.glob("ran")), "it is told before anything runs"
    done = skyline(command, tiny, "-o", output, "--force", "--budget", "1")
    assert done.returncode == 0, done.stderr
    assert b"precious" not in output.read_bytes() and (tmp_path / "ran").exists()
    assert not list(tmp_path.glob("report.part*"))


def test_sqlite_does_not_go_to_standard_output(skyline: Skyline, tiny: Path) -> None:
    done = skyline("time", tiny, "-o", "-")
    assert done.returncode == 2 and "name a file" in done.stderr and done.stdout == ""


def test_what_is_missing_is_named(skyline: Skyline, tiny: Path) -> None:
    nowhere = skyline("time", "nowhere.py", "-o", "time.sqlite")
    assert nowhere.returncode == 2 and "there is no entry point nowhere.py" in nowhere.stderr
    folder = skyline("time", tiny, "-o", "no/such/folder/time.sqlite")
    assert folder.returncode == 2 and "No such file or directory" in folder.stderr


def test_a_broken_contract_names_file_and_line(skyline: Skyline, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(TINY.replace("model(inputs)", "model(inputs[0][0])"))
    done = skyline("analysis", broken, "-o", "analysis.json", "--budget", "1")
    assert done.returncode == 2
    assert f"broken.py:{line_of(broken, 'inputs[0][0]')}: " in done.stderr, done.stderr
    assert not (tmp_path / "analysis.json").exists()


def test_evaluate_compares_predictions_with_measurements(skyline: Skyline, tiny: Path) -> None:
    done = skyline("evaluate", tiny, "--start", "8,16", "--trials", "2", "--budget", "1", "--format", "json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert [start["batch_size"] for start in result["starts"]] == [8, 16]
    for start in result["starts"]:
        targets = [target["batch_size"] for target in start["targets"]]
        assert targets and all(len(target["time_ns"]) >= 2 for target in start["targets"])
        assert not set(targets) & set(start["sampled"])
        assert min(start["sampled"]) <= min(targets) and max(targets) <= max(start["sampled"])
        pairs = [pair["target"] for pair in result["pairs"] if pair["start"] == start["batch_size"]]
        assert pairs == targets
    for pair in result["pairs"]:
        assert -1 < pair["errors"]["throughput"] < 20 and abs(pair["errors"]["memory"]) < 0.2
    assert result["median_error"]["throughput"] >= 0 and result["noise"] >= 0


def test_evaluate_takes_the_batch_sizes_it_is_given(skyline: Skyline, tiny: Path) -> None:
    done = skyline("evaluate", tiny, "--start", "16", "--targets", "12,20", "--trials", "1", "--budget", "1")
    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"^ +16 +(?:12|20) ", done.stdout, re.MULTILINE)) == 2, done.stdout
    assert "Median absolute error" in done.stdout
    wrong = skyline("evaluate", tiny, "--start", "8,x")
    assert wrong.returncode == 2 and "'x' is not a batch size" in wrong.stderr
