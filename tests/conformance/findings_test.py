"""False alarms: about real traces Skyline finds what a person has judged, and nothing new."""

from __future__ import annotations

from pathlib import Path

from conformance import product
from conformance.judged_findings import JUDGED, JUDGED_OF_RANKS, USELESS


def test_every_finding_about_a_real_trace_is_judged(trace_file: Path, traces: Path, skyline_binary: Path) -> None:
    (rank,) = product.report(skyline_binary, trace_file)
    found = {finding["id"] for finding in rank["findings"]}
    name = str(trace_file.relative_to(traces))
    if name in JUDGED:
        assert found == set(JUDGED[name])
    elif name.startswith("ranks/"):
        assert found <= set(JUDGED_OF_RANKS)


def test_a_file_has_one_useless_finding_at_most() -> None:
    for judged in (*JUDGED.values(), JUDGED_OF_RANKS):
        assert sum(verdict == USELESS for verdict, _ in judged.values()) <= 1


def test_the_lever_comes_before_the_largest_part(traces: Path, skyline_binary: Path) -> None:
    without, with_workers = (
        product.report(skyline_binary, traces / f"kineto/v100_resnet50_workers{number}.json.gz")[0] for number in (0, 4)
    )
    assert without["findings"][0]["id"] == "input.workers"
    assert without["verdict"]["sentence"].startswith("33 % of the step waits for batches that the main process loads")
    assert with_workers["findings"][0]["id"] == "device.tensor_cores"
    assert not any(finding["id"].startswith("input.w") for finding in with_workers["findings"])
