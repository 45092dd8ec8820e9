"""Python stacks and modules: right names, also of code and models that are gone when the recording ends."""

import json
from pathlib import Path
from typing import Any

import pytest


def frames_of(script, tmp_path: Path, code: str, op: str) -> list[dict[str, Any]]:
    """The args of each call of an operator, in the order of time."""
    done = script(code + '\n    skyline._binary.ask("convert", "out.skyline", "--output", "out.json")\n', check=False)
    if "no command 'convert'" in done.stderr:
        pytest.skip("this build has no `skyline convert`")
    assert done.returncode == 0, done.stderr
    events = json.loads((tmp_path / "out.json").read_text())["traceEvents"]
    return sorted(events, key=lambda event: event.get("ts", 0)) if op == "" else [e for e in events if e["name"] == op]


def test_functions_made_by_exec_keep_their_own_names(script, skyline_binary, tmp_path: Path) -> None:
    """Their code objects are freed at once, and the next one takes the same place in memory."""
    events = frames_of(
        script,
        tmp_path,
        """
    def once(number):
        space = {"torch": torch}
        exec(compile(f"def made_{number}():\\n    return torch.ones(1).erf()", f"made_{number}.py", "exec"), space)
        space[f"made_{number}"]()
    with skyline.profile("out.skyline", with_stack=True):
        for number in range(300):
            once(number)
    """,
        "aten::erf",
    )
    assert len(events) == 300
    text = json.dumps(events)
    if "made_" not in text:
        pytest.skip("`skyline convert` does not write stacks into operators")
    for number, event in enumerate(sorted(events, key=lambda event: event["ts"])):
        assert f"made_{number}.py" in json.dumps(event), number


def test_a_model_that_is_gone_before_the_end_has_its_names(script, environment, tmp_path: Path) -> None:
    """Asked of the collector's names directly: (name, class) as they were told."""
    script(
        """
    from skyline import _modules
    told = []
    answer = _modules.ModuleNames.__call__
    def listen(self, pairs):
        answers = answer(self, pairs)
        told.extend(answers)
        return answers
    _modules.ModuleNames.__call__ = listen
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        def forward(self, x):
            return self.body(x)
    def train():
        import time
        model = Net()
        for _ in range(5):
            model(torch.ones(1, 4)).sum().backward()
            time.sleep(0.1)
    with skyline.profile("out.skyline", with_stack=True):
        train()
    assert sorted(told) == [("", "Net"), ("body", "Sequential"), ("body.0", "Linear"), ("body.1", "ReLU")], told
    """
    )


def test_deep_recursion_and_generators_do_no_harm(script, op_calls, tmp_path: Path) -> None:
    script(
        """
    import sys
    sys.setrecursionlimit(5000)
    def deep(n):
        return torch.ones(1).erf() if n == 0 else deep(n - 1)
    def some():
        for _ in range(10):
            yield torch.ones(1).erf()
    with skyline.profile("out.skyline", with_stack=True):
        deep(3000)
        list(some())
    """
    )
    assert op_calls(tmp_path / "out.skyline")["aten::erf"] == 11
