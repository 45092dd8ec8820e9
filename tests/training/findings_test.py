"""Seeded faults are found at their line; the same training without the fault is not accused of it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = Path(__file__).with_name("seeded_faults.py")

# Fault -> the rule that finds it, and whether its line is known.
FOUND_BY = {
    "input_workers": "input.workers",
    "slow_decoding": "input.wait",
    "workers_restarted": "input.workers_restarted",
    "slow_first_batch": "input.first_batch",
    "synchronisation": "host.synchronisation",
    "garbage_collection": "host.garbage_collection",
    "anomaly_mode": "host.debug_mode",
    "printing": "host.logging",
    "checkpoints": "host.logging",
    "slow_python": "host.python",
    "tiny_operators": "host.tiny_operators",
    "float64": "compute.float64",
    "unaligned": "compute.unaligned_matmul",
    "conversions": "compute.conversions",
    "recompute": "compute.recompute",
    "gather": "compute.gather",
    "loop_over_a_tensor": "compute.tensor_loop",
    "attention": "compute.attention",
    "chain": "compute.fusible_chain",
    "conv_bias": "compute.conv_bias",
    "per_parameter_optimizer": "optimizer.per_parameter",
    "gradients_zeroed": "optimizer.gradients_zeroed",
    "kept_losses": "memory.growth",
    "temporary_peak": "memory.temporary_peak",
    "warm_up": "steps.warm_up",
}
# Where the machine's own load can make some of the same: elsewhere, or less than half as much.
MAY_BE_SMALL = {"input_workers", "slow_decoding", "slow_first_batch", "workers_restarted", "tiny_operators", "warm_up"}
HAS_NO_LINE = {"conv_bias", "warm_up"}


def line_of(fault: str) -> int:
    lines = PROGRAMS.read_text().splitlines()
    (line,) = [number for number, text in enumerate(lines, 1) if text.endswith(f"# fault: {fault}")]
    return line


@pytest.fixture(scope="session")
def recordings(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of them, made by one process: importing torch takes longer than any of them."""
    folder = tmp_path_factory.mktemp("findings")
    command = [sys.executable, str(PROGRAMS), str(folder), *FOUND_BY]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    return folder


def findings(ask: Any, trace: Path) -> dict[str, Any]:
    (rank,) = ask("report", trace)["ranks"]
    gains = [finding["gain_ns"] for finding in rank["findings"] if finding["severity"] == "advice"]
    assert all(gain >= 0 for gain in gains)
    return {finding["id"]: finding for finding in rank["findings"]}


@pytest.mark.parametrize("fault", FOUND_BY)
def test_a_fault_is_found_at_its_line_and_not_in_a_clean_twin(fault: str, recordings: Path, ask: Any) -> None:
    rule = FOUND_BY[fault]
    faulty = findings(ask, recordings / f"{fault}.faulty.skyline")
    clean = findings(ask, recordings / f"{fault}.clean.skyline")
    assert rule in faulty, json.dumps(list(faulty.values()), indent=1)
    place = faulty[rule]["place"]
    if fault not in HAS_NO_LINE:
        assert (Path(place["file"]).name, place["line"]) == (PROGRAMS.name, line_of(fault))
    if fault in MAY_BE_SMALL and rule in clean:
        is_elsewhere = clean[rule]["place"] != place
        assert is_elsewhere or clean[rule]["gain_ns"] * 2 <= faulty[rule]["gain_ns"]
    else:
        assert rule not in clean, clean[rule]["sentence"]
