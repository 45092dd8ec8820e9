"""A trace that is taken apart into what two recorders would have seen, of the host and of the devices, and joined again
says the same as the whole one: figures, operators with their device time, kernels with their launching operators."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from conformance import product

# What a recorder of the devices writes besides the work itself: the calls, and the arrows from call to work.
DEVICE_WORDS = ("cuda", "kernel", "gpu", "memcpy", "memset", "runtime", "driver", "privateuse1", "mtia", "xpu", "hpu")
SHIFT_US = Decimal("1234.5")
TABLES = {"ops": ("--sort", "name"), "kernels": ("--sort", "name"), "steps": ()}


def read_json(path: Path) -> Any:
    """Numbers with a fraction stay the text they were."""
    opened = gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")
    with opened as file:
        return json.loads(file.read().decode("utf-8", "replace"), parse_float=lambda text: f"@@{text}@@")


def is_of_device(event: dict[str, Any]) -> bool:
    category = str(event.get("cat", "")).lower()
    return any(word in category for word in DEVICE_WORDS) or category in ("ac2g", "async_gpu", "collective_comm")


def write(path: Path, document: dict[str, Any], events: list[Any]) -> None:
    text = json.dumps({**document, "traceEvents": events})
    path.write_text(re.sub(r'"@@([^"]*)@@"', r"\1", text))


def shifted(time: Any, shift_us: Decimal) -> str:
    return f"@@{Decimal(str(time).strip('@')) + shift_us}@@"


def halves(path: Path, folder: Path, shift_us: Decimal = Decimal(0)) -> tuple[Path, Path]:
    document = read_json(path)
    if isinstance(document, list):
        document = {"traceEvents": document}
    host: list[Any] = []
    device: list[Any] = []
    for event in document["traceEvents"]:
        if isinstance(event, dict) and is_of_device(event):
            if shift_us and "ts" in event:
                event["ts"] = shifted(event["ts"], shift_us)
            device.append(event)
        else:
            host.append(event)
            if isinstance(event, dict) and event.get("ph") == "M":
                device.append(event)
    write(folder / "host.json", document, host)
    write(folder / "device.json", document, device)
    return folder / "host.json", folder / "device.json"


def joined(binary: Path, host: Path, device: Path) -> Path:
    output = host.with_name("joined.skyline")
    done = subprocess.run([binary, "convert", host, "--device", device, "-o", output], capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr.decode()
    return output


def table(binary: Path, name: str, path: Path) -> list[Any]:
    shown = json.loads(product.run(binary, "show", name, path, "--format", "json", *TABLES[name]))
    return sorted(json.dumps(row, sort_keys=True) for rank in shown["ranks"] for row in rank["rows"])


# Counts of what a file holds, of which the halves have some twice.
NOT_COMPARED = {"trace.events"}


def test_halves_say_what_the_whole_says(trace_file: Path, skyline_binary: Path, tmp_path: Path) -> None:
    (whole,) = product.report(skyline_binary, trace_file)
    path = joined(skyline_binary, *halves(trace_file, tmp_path))
    (got,) = product.report(skyline_binary, path)
    expected, values = product.values(whole), product.values(got)
    assert {name: values.get(name) for name in expected if name not in NOT_COMPARED} == {
        name: value for name, value in expected.items() if name not in NOT_COMPARED
    }
    for name in TABLES:
        assert table(skyline_binary, name, path) == table(skyline_binary, name, trace_file), name


# Training and inference loops with enough calls to tell clocks by, of three generations.
LOOPS = ("v100_resnet50_workers0", "a100_diff_control", "h100_qwen_inference", "v100_diff_test")
NEAR_NS = 10_000


@pytest.mark.parametrize("name", LOOPS)
def test_clocks_that_are_apart_are_brought_together(
    name: str, traces: Path, skyline_binary: Path, tmp_path: Path
) -> None:
    path = joined(skyline_binary, *halves(traces / f"kineto/{name}.json.gz", tmp_path, SHIFT_US))
    (rank,) = json.loads(product.run(skyline_binary, "info", path, "--format", "json"))["ranks"]
    found = int(dict(rank["metadata"])["device.clock_shift_ns"])
    assert abs(found + int(SHIFT_US * 1000)) < NEAR_NS
