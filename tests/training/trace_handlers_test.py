"""on_trace_ready: torch's own handlers work, ours never end training, and the user's are the user's."""

import gzip
import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.copied

LOOP = """
model = nn.Linear(4, 4)
def train(**options):
    schedule = skyline.schedule(wait=0, warmup=1, active=1, repeat=2)
    with skyline.profile(schedule=schedule, **options) as profile:
        for _ in range(4):
            model(torch.ones(1, 4))
            profile.step()
    print("trained")
"""


@pytest.mark.parametrize(
    ("options", "name"),
    [({}, "*_*.pt.trace.json"), ({"worker_name": "w0", "use_gzip": True}, "w0.*.pt.trace.json.gz")],
    ids=["plain", "gzip"],
)
def test_torchs_own_handler_writes_what_tensorboard_reads(
    script, ask, tmp_path: Path, options: dict, name: str
) -> None:
    done = script(f"{LOOP}\ntrain(on_trace_ready=torch.profiler.tensorboard_trace_handler('logs/deep', **{options}))")
    assert (done.stdout, done.stderr) == ("trained\n", "")
    files = sorted((tmp_path / "logs/deep").iterdir())
    assert len(files) == 2 and files == sorted((tmp_path / "logs/deep").glob(name))
    for file in files:
        text = gzip.decompress(file.read_bytes()) if options else file.read_bytes()
        assert any(event.get("name") == "aten::linear" for event in json.loads(text)["traceEvents"])
        assert ask("info", file)


FAILING = {
    "torch's, without our program": "torch.profiler.tensorboard_trace_handler('logs')",
    "ours, without our program": "skyline.tensorboard_trace_handler('logs')",
    "ours, where a file is in the way": "skyline.trace_handler('program.py/logs')",
    "the user's, which asks us": "lambda profile: profile.key_averages()",
    "the user's, which asks for nonsense": "lambda profile: profile.export_stacks('a', metric='b')",
}


@pytest.mark.parametrize("handler", FAILING)
def test_what_a_handler_meets_in_us_does_not_end_training(script, handler: str) -> None:
    broken = "from skyline import _binary; _binary.find_binary = lambda: '/bin/sh'"
    done = script(f"{LOOP}\n{broken}\ntrain(on_trace_ready={FAILING[handler]})", SKYLINE_BIN="")
    assert done.stdout == "trained\n"
    assert done.stderr.startswith("skyline: ") and "; training goes on" in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1


def test_what_the_users_handler_raises_is_raised(script) -> None:
    done = script(
        LOOP
        + """
def handler(profile):
    profile.export_chrome_trace("a.json")
    raise ValueError("the user's own")
try:
    train(on_trace_ready=handler)
except ValueError as error:
    print(error)
with skyline.profile("next.skyline"):
    model(torch.ones(1, 4))
"""
    )
    assert (done.stdout, done.stderr) == ("the user's own\n", "")


STRUCK = """
import sys
def strike(frame, event, argument):
    if frame.f_code is not skyline.profile.__exit__.__code__: return None
    def line(frame, event, argument):
        if event == "line":
            sys.settrace(None)
            raise KeyboardInterrupt
        return line
    return line
def abandon(path):
    sys.settrace(strike)
    with skyline.profile(path) as profile:
        model(torch.ones(1, 4))
    return profile
"""

ABANDONED = {
    "by a function that has ended": """
try: abandon("first.skyline")
except KeyboardInterrupt: pass
""",
    "by a block further up": """
sys.settrace(strike)
try:
    with skyline.profile("first.skyline") as kept:
        model(torch.ones(1, 4))
except KeyboardInterrupt: pass
""",
    "and forgotten": "skyline.profile('first.skyline').start(); model(torch.ones(1, 4))",
}


@pytest.mark.parametrize("how", ABANDONED)
def test_a_recording_that_was_abandoned_is_taken_over(script, op_calls, tmp_path: Path, how: str) -> None:
    code = f"{LOOP}{STRUCK}{ABANDONED[how]}"
    done = script(code + "\nwith skyline.profile('second.skyline'):\n    model(torch.ones(1, 4))\n")
    first = "the recording to first.skyline was never stopped; it ends here, as another one begins"
    assert done.stderr == f"skyline: {first}\n"
    assert [op_calls(tmp_path / f"{name}.skyline")["aten::linear"] for name in ("first", "second")] == [1, 1]


ALIVE = {
    "in a generator": "def hold():\n    with skyline.profile('first.skyline'): yield\nheld = hold(); next(held)",
    "in an ExitStack": "held = contextlib.ExitStack(); held.enter_context(skyline.profile('first.skyline'))",
    "started by hand": "held = skyline.profile('first.skyline'); held.start()",
}


@pytest.mark.parametrize("how", ALIVE)
def test_a_recording_with_an_owner_is_not_taken_over(script, op_calls, tmp_path: Path, how: str) -> None:
    script(
        f"""{LOOP}
import contextlib
{ALIVE[how]}
try:
    skyline.profile("second.skyline").start()
except skyline.Error as error:
    assert "another skyline.profile is recording" in str(error)
else:
    raise AssertionError
model(torch.ones(1, 4))
del held
"""
    )
    assert op_calls(tmp_path / "first.skyline")["aten::linear"] == 1
