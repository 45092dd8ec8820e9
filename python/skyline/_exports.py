"""export_stacks() and export_chrome_trace(): the trace as other tools read it."""

import os
import shutil
from pathlib import Path

from . import _binary
from ._error import Error

STACK_METRICS = {
    "self_cpu_time_total": "host_self",
    "self_cuda_time_total": "device_self",
    "self_xpu_time_total": "device_self",
    "self_privateuse1_time_total": "device_self",
}


def export_stacks(trace: Path, path: str, metric: str) -> None:
    """Lines `frame;frame;… microseconds`, the outermost frame first."""
    if metric not in STACK_METRICS:
        raise ValueError(f"metric should be one of: {sorted(STACK_METRICS)}")
    answer = _binary.ask_json("show", "stacks", trace, "--top", "0")
    rows = [row for rank in answer["ranks"] for row in rank["rows"] if row["number"] is not None]
    if not rows:
        raise Error("the recording has no Python stacks; pass with_stack=True to skyline.profile")
    blanks = str.maketrans(" \t\n", "___")
    with open(path, "w", encoding="utf-8") as file:
        for row in rows:
            value_us = row[STACK_METRICS[metric]] // 1000
            if value_us > 0:
                file.write(f"{row['stack'].translate(blanks)} {value_us}\n")


def export_chrome_trace(trace: Path, wanted: str) -> None:
    """Kineto's JSON, gzipped if the name ends in .gz; replaces what is there."""
    if trace.suffix == ".json" and not wanted.endswith(".gz"):
        shutil.copyfile(trace, wanted)
        return
    # Any name will do for torch; the program wants to be told by the ending, so it writes beside it.
    named = wanted
    if not wanted.endswith((".json", ".json.gz")):
        named = f"{wanted}.part.json" + (".gz" if wanted.endswith(".gz") else "")
    _binary.ask("convert", trace, "--output", named, "--force")
    if named != wanted:
        os.replace(named, wanted)
