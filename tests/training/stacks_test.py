"""Python stacks and modules: right names, also of code and models that are gone when the recording ends."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.copied


def test_functions_made_by_exec_keep_their_own_names(script, dump, tmp_path: Path) -> None:
    """Their code objects are freed at once, and the next one takes the same place in memory."""
    script(
        """
    def once(number):
        space = {"torch": torch}
        exec(compile(f"def made_{number}():\\n    return torch.ones(1).erf()", f"made_{number}.py", "exec"), space)
        space[f"made_{number}"]()
    with skyline.profile("out.skyline", with_stack=True):
        for number in range(300):
            once(number)
    """
    )
    trace = tmp_path / "out.skyline"
    slices = [line.split("\t") for line in dump(trace) if '"aten::erf"' in line]
    ordinals = [slice_[1] for slice_ in sorted(slices, key=lambda slice_: int(slice_[5]))]
    assert len(ordinals) == 300
    for number in range(0, 300, 13):
        text = "\n".join(dump(trace, "--args", ordinals[number]))
        assert f'"Call stack": "made_{number}.py(2): made_{number};' in text, text


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
    looks = []
    _modules.ModuleNames.look_around = looks.append  # through all objects: would hold up training
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
    assert looks == []
    """
    )


@pytest.mark.sanitized
def test_modules_of_other_threads_have_their_names(script, dump, tmp_path: Path) -> None:
    script(
        """
    import threading
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    with skyline.profile("out.skyline", with_stack=True):
        thread = threading.Thread(target=lambda: model(torch.ones(1, 4)))
        thread.start()
        thread.join()
    """
    )
    text = "\n".join(dump(tmp_path / "out.skyline", "--python"))
    assert all(name in text for name in ("Sequential", "Linear", "ReLU")), text


@pytest.mark.sanitized
def test_deep_recursion_generators_and_coroutines_have_their_stacks(script, dump, tmp_path: Path) -> None:
    script(
        """
    import asyncio, sys
    sys.setrecursionlimit(60_000)
    def deep(n):
        return torch.ones(1).erf() if n == 0 else deep(n - 1)
    def some():
        for _ in range(10):
            yield torch.ones(1).exp()
    async def later(i):
        await asyncio.sleep(0)
        return torch.ones(1).tan()
    async def together():
        return await asyncio.gather(*(later(i) for i in range(10)))
    with skyline.profile("out.skyline", with_stack=True):
        deep(50_000)
        list(some())
        asyncio.run(together())
    """
    )
    stacks = {"erf": [], "exp": [], "tan": []}
    for line in dump(tmp_path / "out.skyline", "--python"):
        kind, name, *rest = line.split("\t")
        if kind == "op" and (short := name.strip('"').removeprefix("aten::")) in stacks:
            stacks[short].append([frame.split()[-1] for frame in rest[1:]])
    (deep,) = stacks["erf"]
    assert set(deep) == {"deep"} and len(deep) == 512, "the innermost ones"
    assert [stack[:2] for stack in stacks["exp"]] == [["some", "<module>"]] * 10
    assert [stack[0] for stack in stacks["tan"]] == ["later"] * 10 and stacks["tan"][0][-1] == "<module>"


def test_backward_operators_belong_to_the_line_of_their_forward(script, dump, tmp_path: Path) -> None:
    script(
        """
    class Net(nn.Module):
        def forward(self, x):
            return x.erf()
    model = Net()
    x = torch.ones(3, requires_grad=True)
    with skyline.profile("out.skyline", with_stack=True):
        model(x).sum().backward()
    """
    )
    backward = []
    for line in dump(tmp_path / "out.skyline", "--python"):
        kind, name, *rest = line.split("\t")
        if kind == "op" and name == '"ErfBackward0"':
            backward.append((rest[0], rest[1].split()[-1]))
    assert backward == [('"" "Net"', "Net.forward")], backward


@pytest.mark.fresh  # the outermost frame is looked at
def test_ranges_in_ranges_have_the_lines_that_begin_them(script, dump, tmp_path: Path) -> None:
    script(
        """
    from torch.profiler import record_function
    with skyline.profile("out.skyline", with_stack=True):
        with record_function("outer"):
            with record_function("inner"):
                torch.ones(1).erf()
    """
    )
    lines = []
    for line in dump(tmp_path / "out.skyline", "--python"):
        kind, name, *rest = line.split("\t")
        if kind == "op" and name in ('"outer"', '"inner"'):
            lines.append(rest[-1].removeprefix(f"{tmp_path}/"))
    assert lines == ["program.py:6 <module>", "program.py:7 <module>"]
