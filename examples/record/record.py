"""Records examples/traces/small_cnn.json.gz with torch.profiler.

    pip install torch==2.13.0
    python examples/record/record.py [OUT]

This is how any training is recorded for Skyline; only scrub() is our own need, as the trace is published: it
takes the recording machine's folders, name and process id out of it.
"""

import gzip
import os
import re
import sys
import tempfile
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity, profile, schedule

from small_cnn import train

SKIPPED_STEPS, WARMUP_STEPS, RECORDED_STEPS = 1, 1, 4
DEFAULT_OUT = Path(__file__).resolve().parent.parent / "traces" / "small_cnn.json.gz"


def record(path: str) -> None:
    with profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=SKIPPED_STEPS, warmup=WARMUP_STEPS, active=RECORDED_STEPS, repeat=1),
        on_trace_ready=lambda profiler: profiler.export_chrome_trace(path),
        record_shapes=True,
        profile_memory=True,
        with_stack=True,
    ) as profiler:
        train(SKIPPED_STEPS + WARMUP_STEPS + RECORDED_STEPS, after_step=profiler.step)


def scrub(text: str, path: str) -> str:
    """Paths of this machine become relative to site-packages, to Python's library or to this folder."""
    folders = {Path(torch.__file__).parent.parent, Path(os.__file__).parent, Path(__file__).resolve().parent}
    for folder in sorted(map(str, folders), key=len, reverse=True):
        text = text.replace(folder + "/", "")
    text = text.replace(path, "small_cnn.json")
    text = re.sub(r'("host_name": )"[^"]*"', r'\1"example"', text)
    return re.sub(rf'("(?:pid|tid|sort_index)": |thread ){os.getpid()}\b', r"\g<1>1000", text)


def main() -> None:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_OUT
    torch.set_num_threads(2)
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "trace.json"
        record(str(raw))
        text = scrub(raw.read_text(), str(raw))
    # No name and no time in the gzip header: the same trace is the same file.
    with open(out, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(text.encode())
    print(f"{out}: {out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
