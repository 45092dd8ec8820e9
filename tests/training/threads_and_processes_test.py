"""Threads that come and go, processes that are forked off."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.copied


def test_workers_of_a_data_loader_are_not_recorded_and_do_no_harm(script, op_calls, tmp_path: Path) -> None:
    done = script(
        """
    from torch.utils.data import DataLoader, Dataset
    class Numbers(Dataset):
        def __len__(self): return 32
        def __getitem__(self, i): return torch.full((4,), float(i)).erf()
    model = nn.Linear(4, 4)
    with skyline.profile("out.skyline", with_stack=True, record_shapes=True, profile_memory=MEMORY):
        for batch in DataLoader(Numbers(), batch_size=4, num_workers=2, multiprocessing_context="fork"):
            model(batch).sum().backward()
    """.replace("MEMORY", "True")
    )
    assert done.stderr == ""
    calls = op_calls(tmp_path / "out.skyline")
    assert calls["aten::linear"] == 8 and "aten::erf" not in calls


@pytest.mark.sanitized
def test_a_child_of_fork_can_record_on_its_own(script, op_calls, tmp_path: Path) -> None:
    script(
        """
    import os
    model = nn.Linear(4, 4)
    with skyline.profile("parent.skyline") as profile:
        model(torch.ones(1, 4))
        child = os.fork()
        if child == 0:
            model(torch.ones(1, 4))
            with skyline.profile("child.skyline"):
                torch.ones(3).erf()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        model(torch.ones(1, 4))
    """
    )
    assert op_calls(tmp_path / "parent.skyline")["aten::linear"] == 2
    calls = op_calls(tmp_path / "child.skyline")
    assert calls["aten::erf"] == 1 and "aten::linear" not in calls


def test_thousands_of_threads_that_start_and_end_are_all_recorded(script, op_calls, ask, tmp_path: Path) -> None:
    """What an ended thread held is free again: memory is for the threads that live."""
    script(
        """
    import threading
    def work():
        for _ in range(5):
            torch.ones(3).erf()
    with skyline.profile("out.skyline", with_stack=True, buffer_bytes=16 << 20) as profile:
        for _ in range(200):
            threads = [threading.Thread(target=work) for _ in range(20)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
    assert profile.outcome["dropped"] == 0 and profile.outcome["threads"] >= 4000, profile.outcome
    """
    )
    assert op_calls(tmp_path / "out.skyline")["aten::erf"] == 20_000
    (rank,) = ask("info", tmp_path / "out.skyline")["ranks"]
    assert rank["losses"] == []


def test_a_thread_that_is_older_than_the_recording_is_recorded(script, op_calls, tmp_path: Path) -> None:
    script(
        """
    import threading
    begin, done = threading.Event(), threading.Event()
    def work():
        begin.wait()
        torch.ones(3).erf()
        done.set()
    threading.Thread(target=work).start()
    with skyline.profile("out.skyline"):
        begin.set()
        done.wait()
    """
    )
    assert op_calls(tmp_path / "out.skyline")["aten::erf"] == 1


@pytest.mark.sanitized
def test_stopping_amid_other_threads_work_is_safe(script, op_calls, tmp_path: Path) -> None:
    script(
        """
    import threading
    over = threading.Event()
    def work():
        while not over.is_set():
            torch.ones(3).erf()
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads: thread.start()
    for _ in range(50):
        with skyline.profile("out.skyline", with_stack=True, record_shapes=True):
            torch.ones(3).erf()
    over.set()
    for thread in threads: thread.join()
    """
    )
    assert op_calls(tmp_path / "out.skyline")["aten::erf"] >= 1
