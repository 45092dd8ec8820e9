"""What `skyline convert` writes is read by HTA and by the TensorBoard plugin as they come from PyPI: a recording, and a
trace of a GPU whose JSON was broken, so that its events had to be written anew."""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests/golden"
RECORDING = GOLDEN / "convert_a_recording_to_json/run.skyline"
GPU_TRACE = GOLDEN / "report_says_what_a_gpu_step_waits_for/trace.json"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")

HTA = """
import json, sys
from hta.trace_analysis import TraceAnalysis
analysis = TraceAnalysis(trace_files={0: sys.argv[1]}, trace_dir="/")
trace = analysis.t.get_trace(0)
names = analysis.t.symbol_table.sym_table
rows = [[names[row.name], float(row.dur)] for row in trace.itertuples()]
device = bool((trace["stream"] >= 0).any())
breakdown = analysis.get_temporal_breakdown(visualize=False).to_dict("records") if device else []
print(json.dumps({"rows": sorted(rows), "breakdown": breakdown}))
"""

PLUGIN = """
import json, os, sys
from torch_tb_profiler.profiler.data import RunProfileData
from torch_tb_profiler.profiler.run_generator import RunGenerator
if __name__ == "__main__":
    data = RunProfileData.parse("worker", None, sys.argv[1], os.path.dirname(sys.argv[1]))
    data.process()
    data.analyze()
    run = RunGenerator("worker", None, data).generate_run_profile()
    operators = {row["name"]: row["calls"] for row in run.operation_table_by_name["data"]}
    steps = [row[0] for row in run.overview["steps"]["rows"]]
    print(json.dumps({"events": len(data.events), "operators": operators, "steps": steps}))
"""


@pytest.fixture(scope="session")
def viewers() -> Path:
    """A Python with both viewers. Tests on several processes ask for it at once; the first one makes it."""
    folder = ROOT / "build/viewers-venv"
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return install_viewers(folder)


def install_viewers(folder: Path) -> Path:
    python, installed = folder / "bin/python", folder / "installed.txt"
    if not installed.exists() or installed.read_text() != REQUIREMENTS.read_text():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile"]
        pip += ["--require-hashes", "-r", REQUIREMENTS]
        if subprocess.run(pip, capture_output=True, check=False).returncode:
            pytest.skip(f"pip cannot install {REQUIREMENTS} here")
        installed.write_text(REQUIREMENTS.read_text())
    return python


@pytest.fixture
def recording(tmp_path: Path, skyline_binary: Path) -> Path:
    return convert(skyline_binary, RECORDING, tmp_path / "recording.json.gz")


@pytest.fixture
def mended(tmp_path: Path, skyline_binary: Path) -> Path:
    """Every event made from tables: a raw tab in each makes the original no JSON."""
    broken = tmp_path / "broken.json"
    broken.write_text(GPU_TRACE.read_text().replace('"args": {', '"args": {"note": "a\ttab", '))
    with pytest.raises(json.JSONDecodeError):
        json.loads(broken.read_text())
    return convert(skyline_binary, broken, tmp_path / "mended.json")


def test_hta_reads_a_recording(viewers: Path, recording: Path) -> None:
    rows = see(viewers, HTA, recording)["rows"]
    # It leaves out what starts with the last step or later: a third.
    assert len(rows) == 14
    assert ["ProfilerStep#1", 2966.0] in rows
    assert {name for name, _ in rows} >= {"aten::linear", "AddmmBackward0", "Optimizer.step#SGD.step", "ProfilerStep#1"}


def test_hta_finds_the_same_in_a_mended_trace(viewers: Path, mended: Path) -> None:
    ours, theirs = see(viewers, HTA, mended), see(viewers, HTA, GPU_TRACE)
    assert ours["breakdown"] and ours == theirs


def test_the_plugin_reads_a_recording(viewers: Path, recording: Path) -> None:
    seen = see(viewers, PLUGIN, recording)
    assert seen["events"] == 21
    assert seen["steps"] == ["1", "2", "3"]
    assert seen["operators"] == {
        "aten::linear": 3,
        "aten::addmm": 3,
        "AddmmBackward0": 3,
        "autograd::engine::evaluate_function: AddmmBackward0": 3,
    }


def test_the_plugin_finds_the_same_in_a_mended_trace(viewers: Path, mended: Path) -> None:
    assert see(viewers, PLUGIN, mended) == see(viewers, PLUGIN, GPU_TRACE)


def convert(binary: Path, source: Path, target: Path) -> Path:
    subprocess.run([binary, "convert", source, "-o", target], check=True, stdout=subprocess.DEVNULL)
    return target


def see(python: Path, program: str, trace: Path) -> dict[str, Any]:
    """What a viewer sees in a trace. Both write beside what they read, so they get a copy."""
    with tempfile.TemporaryDirectory() as folder:
        script, copy = Path(folder, "viewer.py"), Path(folder, trace.name)
        script.write_text(program)  # a file, since the plugin starts processes that read the program again
        shutil.copy(trace, copy)
        done = subprocess.run([python, script, copy], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])
