"""Allocations: seen on every thread, harmless to those who allocate."""

import json
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.copied

# oneDNN takes raw blocks, whose address must be their own context (Allocator::raw_allocate).


@pytest.mark.parametrize(
    "what",
    [
        "y = nn.Conv2d(3, 4, 3)(torch.ones(1, 3, 8, 8)); y.sum().backward()",
        "y = torch.ones(4); y.resize_(4096); y.resize_(2); y.fill_(1)",
        "y = torch.ones(64).share_memory_()",
        "import io; b = io.BytesIO(); torch.save(torch.ones(99), b); b.seek(0); y = torch.load(b)",
        "y = nn.LSTM(4, 4)(torch.ones(3, 2, 4))[0]; y.sum().backward()",
        "y = nn.Conv2d(3, 8, 3)(torch.ones(4, 3, 32, 32)); y.sum().backward()",
        "y = torch.linalg.svd(torch.rand(8, 8))[1]",
        "y = torch.nn.functional.scaled_dot_product_attention(*[torch.rand(1, 2, 16, 8, requires_grad=True)] * 3)",
    ],
    ids=["conv", "resize", "shared", "save", "lstm", "large_conv", "svd", "attention"],
)
def test_every_kind_of_allocation_goes_well(script, op_calls, tmp_path: Path, what: str) -> None:
    done = script(
        f"""
    with skyline.profile("out.skyline", profile_memory=True):
        {what}
    del y
    """
    )
    assert done.stderr == ""
    assert op_calls(tmp_path / "out.skyline")


@pytest.mark.sanitized
def test_blocks_may_be_released_on_another_thread_or_after_the_recording(script) -> None:
    script(
        """
    import queue, threading
    blocks = queue.Queue()
    def release():
        while (block := blocks.get()) is not None:
            del block
    thread = threading.Thread(target=release)
    thread.start()
    older = torch.ones(1000)
    with skyline.profile("out.skyline", profile_memory=True):
        for _ in range(1000):
            blocks.put(torch.ones(1000))
        del older
        kept = [torch.ones(1000) for _ in range(100)]
    for block in kept: blocks.put(block)
    del kept
    blocks.put(None)
    thread.join()
    with skyline.profile("out.skyline", profile_memory=True):
        torch.ones(10)
    """
    )


def test_recording_twice_frees_what_the_first_one_saw(script) -> None:
    script(
        """
    for _ in range(20):
        with skyline.profile("out.skyline", profile_memory=True, buffer_bytes=4 << 20):
            kept = [torch.ones(1000) for _ in range(100)]
        kept = [block.add(1) for block in kept]
    assert all(float(block.sum()) == 2000 for block in kept)
    """
    )


def test_a_later_recording_knows_what_an_earlier_one_saw(script, skyline_binary: Path, tmp_path: Path) -> None:
    """Sizes of what it releases, and totals; what was released between them is gone."""
    script(
        """
    import threading
    with skyline.profile("first.skyline", profile_memory=True):
        gone, kept, stays, released = (torch.ones(size) for size in (1000, 2000, 4000, 500))
    thread = threading.Thread(target=lambda: globals().pop("gone"))
    thread.start()
    thread.join()
    with skyline.profile("operators.skyline"):
        del released
    with skyline.profile("second.skyline", profile_memory=True):
        new = torch.ones(8000)
        del kept
    """
    )
    command = [skyline_binary, "convert", tmp_path / "second.skyline", "-o", tmp_path / "second.json"]
    subprocess.run(command, check=True, capture_output=True, timeout=240)
    events = json.loads((tmp_path / "second.json").read_text())["traceEvents"]
    memory = [event["args"] for event in events if event["name"] == "[memory]"]
    assert [(args["Bytes"], args["Total Allocated"]) for args in memory] == [(32000, 56000), (-8000, 48000)]
