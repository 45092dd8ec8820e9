"""The worker that runs the user's code for a session."""

from pathlib import Path

from training.live_session import ENTRY_POINT, GOOD, WASTEFUL


def test_a_worker_keeps_freed_memory_when_told_to(script, tmp_path: Path) -> None:
    (tmp_path / ENTRY_POINT).write_text(WASTEFUL)
    done = script(
        f"""
    import socket
    from skyline import worker
    ours, theirs = socket.socketpair()
    one = worker.Worker(ours)
    one.load({str(tmp_path / ENTRY_POINT)!r}, {str(tmp_path)!r}, None)
    one.iterate(8, 3, 10**9)
    print(one.iterate(8, 10, 10**10)["iterated"]["page_faults"] // 10)
    print(one.keep_memory()["memory_kept"]["is_kept"])
    one.iterate(8, 1, 10**9)
    print(one.iterate(8, 10, 10**10)["iterated"]["page_faults"] // 10)
    """
    )
    as_is, is_kept, kept = done.stdout.split()
    assert is_kept == "True"
    assert int(as_is) > 10_000  # of 18 432 pages
    assert int(kept) < 1_000


def test_what_the_user_has_told_glibc_stays(script) -> None:
    done = script(
        """
    import os
    from skyline import worker
    os.environ["MALLOC_TOP_PAD_"] = "65536"
    print(worker.keep_free_memory())
    del os.environ["MALLOC_TOP_PAD_"]
    os.environ["GLIBC_TUNABLES"] = "glibc.malloc.trim_threshold=131072"
    print(worker.keep_free_memory())
    os.environ["GLIBC_TUNABLES"] = "glibc.rtld.nns=4"
    print(worker.keep_free_memory())
    """
    )
    assert done.stdout.split() == ["False", "False", "True"]


def test_memory_is_given_back_only_when_memory_is_measured(script, tmp_path: Path) -> None:
    """What has been given back must be asked for again, which would be timed."""
    (tmp_path / ENTRY_POINT).write_text(GOOD)
    done = script(
        f"""
    import socket
    from skyline import worker
    trims = []
    worker.release_free_memory = lambda: trims.append(1)
    ours, theirs = socket.socketpair()
    one = worker.Worker(ours)
    one.load({str(tmp_path / ENTRY_POINT)!r}, {str(tmp_path)!r}, None)
    for size in (8, 16, 8):
        one.iterate(size, 2, 10**9)
    print(len(trims))
    one.record("memory.skyline", "memory")
    for size in (8, 16, 16):
        one.iterate(size, 1, 10**9)
    one.stop_recording()
    print(len(trims))
    """
    )
    assert done.stdout.split() == ["0", "1"]
