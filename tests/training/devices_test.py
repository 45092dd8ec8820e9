"""Our collector for the host beside another recorder for the devices. No device here: a stand-in writes what Kineto
would, and a backend that exists in name only is switched to."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.copied

# A recorder of devices that knows when the program multiplied matrices, and says that a kernel was launched meanwhile.
STAND_IN = """
    import json, os, threading, time
    from pathlib import Path
    from unittest import mock
    from skyline import _devices, _recorders
    launched = []  # Unix times
    def multiply():
        before = time.time_ns()
        torch.mm(torch.ones(700, 700), torch.ones(700, 700))
        launched.append((before + time.time_ns()) // 2)
    def call(number, at_ns):
        place = {"pid": os.getpid(), "tid": threading.get_native_id()}
        args = {"correlation": number, "device": 0, "stream": 7}
        yield {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", **place, "ts": at_ns / 1000, "dur": 1,
               "args": args}
        yield {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": at_ns / 1000 + 50, "dur": 20,
               "args": args}
    class Kineto(_devices.DeviceRecorder):
        calls = []
        def start(self, memory):
            self.calls.append(("start", memory))
            return True
        def stop(self):
            self.calls.append("stop")
            path = Path("device.json")
            events = [event for number, at in enumerate(launched) for event in call(number, at)]
            path.write_text(json.dumps({"traceEvents": events}))
            return path
    mock.patch.object(_recorders, "device_activities", lambda: ["a device"]).start()
    mock.patch.object(_recorders, "DeviceRecorder", Kineto).start()
"""


def ops(ask, trace: Path) -> dict[str, dict]:
    (rank,) = ask("show", "ops", trace)["ranks"]
    return {row["name"]: row for row in rank["rows"]}


def test_kernels_of_the_other_recorder_belong_to_our_operators(script, ask, tmp_path: Path) -> None:
    script(
        STAND_IN
        + """
    with skyline.profile("out.skyline", profile_memory=True, with_stack=True) as profile:
        for _ in range(5):
            multiply()
            torch.ones(10).sin()
    assert profile.outcome["trouble"] == "", profile.outcome
    assert Kineto.calls == [("start", True), "stop"] and not Path("device.json").exists()
    """
    )
    rows = ops(ask, tmp_path / "out.skyline")
    assert rows["aten::mm"]["device_total"] == 5 * 20_000
    assert rows["aten::sin"]["device_total"] == 0
    (report,) = ask("report", tmp_path / "out.skyline")["ranks"]
    assert report["figures"]["device.unlinked"]["value"] == 0
    assert report["losses"] == []


def test_a_recorder_that_cannot_watch_devices_leaves_the_host(script, ask, tmp_path: Path) -> None:
    done = script(
        """
    from unittest import mock
    from skyline import _recorders
    mock.patch.object(_recorders, "device_activities", lambda: ["no such thing"]).start()
    with skyline.profile("out.skyline"):
        torch.ones(3).sin()
    """
    )
    assert "devices are not recorded" in done.stderr
    assert "aten::sin" in ops(ask, tmp_path / "out.skyline")


def test_what_kineto_sees_of_the_host_is_not_taken_twice(script, ask, tmp_path: Path) -> None:
    """The real torch.profiler, with the activity that there is here."""
    script(
        """
    from unittest import mock
    from skyline import _recorders
    mock.patch.object(_recorders, "device_activities", lambda: [torch.profiler.ProfilerActivity.CPU]).start()
    with skyline.profile("out.skyline"):
        for _ in range(7):
            torch.ones(3).sin()
    """
    )
    assert ops(ask, tmp_path / "out.skyline")["aten::sin"]["calls"] == 7


def test_without_a_device_there_is_nothing_beside_the_collector(script) -> None:
    script("""
    from skyline import _devices
    assert _devices.device_activities() == []
    class Backend:
        is_available = staticmethod(lambda: True)
    torch.utils.rename_privateuse1_backend("somedevice")
    assert _devices.own_backend_activity() is None
    torch.somedevice = Backend
    assert _devices.own_backend_activity() is torch.profiler.ProfilerActivity.PrivateUse1
    """)


def test_allocations_of_the_device_go_along(script, dump, tmp_path: Path) -> None:
    script(
        STAND_IN
        + """
    from skyline._devices import insert_events, memory_events
    def stop(self, kineto=Kineto.stop):
        path = kineto(self)
        now = time.time_ns() // 1000
        entries = [{"action": "alloc", "addr": 4096, "size": 512, "time_us": now},
                   {"action": "free_requested", "addr": 4096, "size": 512, "time_us": now},
                   {"action": "free_completed", "addr": 4096, "size": 512, "time_us": now + 3}]
        insert_events(path, memory_events([(0, entry) for entry in entries], 0))
        return path
    Kineto.stop = stop
    with skyline.profile("out.skyline", profile_memory=True):
        multiply()
    """
    )
    rows = [line.split("\t") for line in dump(tmp_path / "out.skyline") if line.startswith("memory\t")]
    of_device = [row for row in rows if "4096" in row]
    assert len(of_device) == 2, rows[:5]


def test_a_killed_recording_says_that_the_device_part_is_missing(script, ask, tmp_path: Path) -> None:
    program = (
        STAND_IN
        + """
    profile = skyline.profile("out.skyline")
    profile.start()
    begun = Path("out.skyline").stat().st_size
    torch.ones(3).sin()
    while Path("out.skyline").stat().st_size == begun:  # until the operator is in the file
        time.sleep(0.01)
    os._exit(1)
    """
    )
    script(program, check=False)
    (report,) = ask("report", tmp_path / "out.skyline")["ranks"]
    assert "recorder.device_part" in {loss["name"] for loss in report["losses"]}
