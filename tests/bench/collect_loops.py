"""One process of bench_collect.py: the same training code under every way to record it, turn by turn.

Prints one JSON object. It runs alone in its process, so that it can be pinned to a core.
"""

import argparse
import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import nn

import skyline
from skyline import _build

HERE = Path(__file__).resolve().parent
EVERYTHING = {"record_shapes": True, "profile_memory": True, "with_stack": True}

Work = Callable[[], None]


# What is recorded


def tiny_ops() -> Work:
    """Operators that do next to nothing: what is added shows best here."""
    x = torch.zeros(4)

    def work() -> None:
        with torch.no_grad():
            for _ in range(300):
                x.add_(1.0)

    return work


def train(model: nn.Module, inputs: torch.Tensor, steps: int) -> Work:
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def work() -> None:
        for _ in range(steps):
            optimizer.zero_grad()
            model(inputs).sum().backward()
            optimizer.step()

    return work


def cnn() -> Work:
    layers: list[nn.Module] = []
    for before, after in ((3, 8), (8, 8), (8, 16)):
        layers += [nn.Conv2d(before, after, 3), nn.BatchNorm2d(after), nn.ReLU()]
    model = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))
    return train(model, torch.randn(2, 3, 12, 12), 1)


def transformer() -> Work:
    layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
    return train(nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), torch.randn(2, 8, 16), 1)


LOOPS = {"tiny operators": tiny_ops, "CNN": cnn, "transformer": transformer}


def repeat(work: Work, times: int) -> None:
    for _ in range(times):
        work()


def at_depth(depth: int, work: Work) -> None:
    if depth <= 1:
        work()
    else:
        at_depth(depth - 1, work)


# How it is recorded


def empty_callback() -> ModuleType:
    """Compiled as the collector is."""
    target = _build.this_target()
    library = Path(os.environ["XDG_CACHE_HOME"]) / f"empty_callback-{target.key()}.so"
    if not library.exists():
        command = [target.compiler, *_build.compile_flags(target), "-shared", HERE / "empty_callback.cpp"]
        subprocess.run([*command, "-o", library, *_build.link_flags(target)], check=True)
    loader = importlib.machinery.ExtensionFileLoader("empty_callback", str(library))
    spec = importlib.util.spec_from_loader("empty_callback", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@contextmanager
def unrecorded() -> Iterator[None]:
    yield


@contextmanager
def called_back(module: ModuleType, needs_inputs: bool) -> Iterator[None]:
    module.install(needs_inputs)
    yield
    module.remove()


def ways(folder: Path) -> dict[str, Callable[[], Any]]:
    cpu = [torch.profiler.ProfilerActivity.CPU]
    empty = empty_callback()
    trace = folder / "loop.skyline"
    return {
        "nothing": unrecorded,
        "empty callback": lambda: called_back(empty, False),
        "empty callback with inputs": lambda: called_back(empty, True),
        "skyline, operators": lambda: skyline.profile(trace, activities=cpu),
        "skyline, everything": lambda: skyline.profile(trace, activities=cpu, **EVERYTHING),
        "skyline, everything and values": lambda: skyline.profile(trace, activities=cpu, with_flops=True, **EVERYTHING),
        "skyline directly, operators": lambda: skyline.profile(trace, activities=cpu, direct=True),
        "skyline directly, everything": lambda: skyline.profile(trace, activities=cpu, direct=True, **EVERYTHING),
        "torch.profiler, everything": lambda: torch.profiler.profile(activities=cpu, **EVERYTHING),
    }


def count_ops(work: Work, folder: Path) -> int:
    with skyline.profile(folder / "count.skyline", activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        work()
    return int(profile.outcome["records"])


# Questions


def loops(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Seconds of each loop in each way. On one core it is the process's time, the writer's thread included. On more it
    is the training thread's own processor time, of each pass by itself: the best pass is short enough to lie between
    two interruptions, so that it says the same on a machine that does other work."""
    is_alone = len(os.sched_getaffinity(0)) == 1
    clock = time.process_time if is_alone else time.thread_time
    answer: dict[str, Any] = {}

    def timed(work: Work, times: int, seconds: list[float]) -> None:
        for _ in range(1 if is_alone else times):
            started = clock()
            repeat(work, times if is_alone else 1)
            seconds.append(clock() - started)

    for name, make in LOOPS.items():
        work = make()
        work()
        ops = count_ops(work, folder)
        repeats = max(1, round(options.ops / ops))
        for depth in options.depths:
            seconds: dict[str, list[float]] = {}
            for _ in range(options.rounds):
                for way, record in ways(folder).items():
                    with record():
                        at_depth(depth, work)
                        at_depth(depth, partial(timed, work, repeats, seconds.setdefault(way, [])))
            answer[f"{name}, {depth} deep"] = {"ops": ops * repeats if is_alone else ops, "seconds": seconds}
    return answer


def steps_only(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Seconds of a training loop whose steps do almost nothing, with only its steps recorded."""
    model = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    data = torch.utils.data.DataLoader(torch.randn(options.steps, 2), batch_size=1)

    def loop(end_step: Work) -> None:
        for batch in data:
            optimizer.zero_grad()
            model(batch).sum().backward()
            optimizer.step()
            end_step()

    seconds: dict[str, list[float]] = {"nothing": [], "skyline, steps": []}
    for _ in range(options.rounds + 1):
        started = time.perf_counter()
        loop(lambda: None)
        seconds["nothing"].append(time.perf_counter() - started)
        always = skyline.schedule(wait=0, warmup=0, active=10**9)
        cpu = [torch.profiler.ProfilerActivity.CPU]
        with skyline.profile(folder / "steps.skyline", activities=cpu, schedule=always, ops=False) as profile:
            started = time.perf_counter()
            loop(profile.step)
            seconds["skyline, steps"].append(time.perf_counter() - started)
    return {"steps": options.steps, "seconds": {way: values[1:] for way, values in seconds.items()}}


def endings(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """From the last operator to a file on disk, the file, and the table."""
    work = transformer()
    work()
    repeats = max(1, round(options.ops / count_ops(work, folder)))
    cpu = [torch.profiler.ProfilerActivity.CPU]
    answer: dict[str, Any] = {"ops": 0, "skyline": {}, "torch.profiler": {}}

    def note(who: str, what: str, value: float) -> None:
        answer[who].setdefault(what, []).append(value)

    for _ in range(options.rounds):
        ours = skyline.profile(folder / "end.skyline", activities=cpu, **EVERYTHING)
        theirs = torch.profiler.profile(activities=cpu, **EVERYTHING)
        exported = folder / "end.json"
        for who, profile, path in (
            ("skyline", ours, folder / "end.skyline"),
            ("torch.profiler", theirs, exported),
        ):
            profile.start()
            repeat(work, repeats)
            started = time.perf_counter()
            profile.stop()
            if who == "torch.profiler":
                profile.export_chrome_trace(str(exported))
            note(who, "stop", time.perf_counter() - started)
            note(who, "bytes", path.stat().st_size)
        answer["ops"] = ours.outcome["records"]
    return answer


def tables(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """key_averages().table() of many events."""
    work = transformer()
    work()
    repeats = max(1, round(options.ops / count_ops(work, folder)))
    cpu = [torch.profiler.ProfilerActivity.CPU]
    answer: dict[str, Any] = {"ops": 0}
    for who, profile in (
        ("skyline", skyline.profile(folder / "table.skyline", activities=cpu, record_shapes=True)),
        ("torch.profiler", torch.profiler.profile(activities=cpu, record_shapes=True)),
    ):
        with profile:
            repeat(work, repeats)
        started = time.perf_counter()
        text = profile.key_averages().table(sort_by="self_cpu_time_total")
        answer[who] = time.perf_counter() - started
        assert "aten::addmm" in text
        if who == "skyline":
            answer["ops"] = profile.outcome["records"]
    return answer


def endurance(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """A tight loop for minutes: what is dropped, how memory grows."""

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    torch.set_grad_enabled(False)
    x = torch.zeros(4)
    for _ in range(10_000):
        x.neg_()
    before = peak = resident()
    trace = folder / "endurance.skyline"
    cpu = [torch.profiler.ProfilerActivity.CPU]
    calls = 0
    with skyline.profile(trace, activities=cpu, record_shapes=True, max_file_bytes=options.max_file_bytes) as profile:
        started = time.perf_counter()
        while time.perf_counter() - started < options.seconds:
            for _ in range(100_000):
                x.neg_()
            calls += 100_000
            peak = max(peak, resident())
        seconds = time.perf_counter() - started
    return {
        "seconds": seconds,
        "ops": calls,
        "growth_bytes": max(peak, resident()) - before,
        **{name: profile.outcome[name] for name in ("records", "dropped", "file_bytes", "trouble")},
    }


QUESTIONS = {question.__name__: question for question in (loops, steps_only, endings, tables, endurance)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("question", choices=QUESTIONS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ops", type=int, default=20_000, help="operators per measurement")
    parser.add_argument("--depths", type=int, nargs="+", default=[5, 50])
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--max-file-bytes", type=int, default=16 << 30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        json.dump(QUESTIONS[options.question](options, Path(folder)), sys.stdout)


if __name__ == "__main__":
    main()
