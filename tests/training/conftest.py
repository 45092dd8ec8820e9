"""Runs little training scripts and reads what was recorded."""

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from training.copies import Copies

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 240

Result = subprocess.CompletedProcess


def of_sanitizers(cache: str) -> dict[str, str]:
    """For ./test collector: the instrumented collector lies in a cache of its own, and its runtime has to be in the
    process before all others. That of clang does not know of libstdc++ unless it is there from the start as well."""
    asked = ["clang++-16", "-print-file-name=libclang_rt.asan-x86_64.so"]
    runtime = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    options = {
        "detect_leaks": 0,  # Python and torch keep much until the end of the process
        "detect_container_overflow": 0,  # vectors that plain torch has filled are not annotated
        "abort_on_error": 1,
        "handle_abort": 0,
        "allocator_may_return_null": 1,  # scripts that run out of memory must see that they do
    }
    return {
        "XDG_CACHE_HOME": cache,
        "LD_PRELOAD": f"{runtime} libstdc++.so.6",
        "ASAN_OPTIONS": ":".join(f"{name}={value}" for name, value in options.items()),
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


@pytest.fixture(scope="session")
def environment(skyline_binary: Path) -> dict[str, str]:
    """For the scripts: our package, our binary, and one cache for all, so that the collector is built once."""
    pytest.importorskip("torch", reason="torch is not installed; ./test training does it")
    own = {
        "PYTHONPATH": str(ROOT / "python"),
        "SKYLINE_BIN": str(skyline_binary),
        "XDG_CACHE_HOME": os.environ.get("SKYLINE_TRAINING_CACHE", str(ROOT / "build/training-cache")),  # tools/compat
        "OMP_NUM_THREADS": "1",
    }
    sanitized = os.environ.get("SKYLINE_SANITIZED_CACHE")
    settings = os.environ | own | (of_sanitizers(sanitized) if sanitized else {})
    code = "import skyline._build as build; build.load_collector(); print(build.built_collector(build.this_target()))"
    done = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    if sanitized:
        assert b"__asan_init" in Path(done.stdout.strip()).read_bytes(), "this collector is not instrumented"
    return settings


@pytest.fixture(scope="session")
def observers(environment: dict[str, str]) -> Path:
    """The folder of observers.cpp as a library, compiled as the collector is."""
    code = f"""if True:
        import hashlib, os, subprocess
        from pathlib import Path
        from skyline import _build
        target, source = _build.this_target(), Path({str(ROOT / "tests/training/observers.cpp")!r})
        key = target.key() + hashlib.sha256(source.read_bytes()).hexdigest()[:8]
        library = Path(os.environ["XDG_CACHE_HOME"]) / key / "observers.so"
        library.parent.mkdir(exist_ok=True)
        if not library.exists():
            flags, links = _build.compile_flags(target), _build.link_flags(target)
            subprocess.run([target.compiler, *flags, "-O0", "-shared", source, "-o", library, *links], check=True)
        print(library.parent)
    """
    plain = {name: value for name, value in environment.items() if name != "LD_PRELOAD"}  # the compiler needs none
    done = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


@pytest.fixture(scope="session")
def copies(environment: dict[str, str]) -> Iterator[Copies]:
    copies = Copies(environment)
    yield copies
    copies.end()


@pytest.fixture
def script(request: pytest.FixtureRequest, environment: dict[str, str], tmp_path: Path) -> Callable[..., "Result[str]"]:
    """script(code, *arguments): the outcome of a Python program in a folder of its own; `code` may begin with any
    indentation and finds `torch`, `nn` and `skyline` imported. In files marked `copied` it runs in a copy of a Python
    that has imported them, unless it has arguments for Python or settings, or is marked `fresh`."""
    mark = request.node.get_closest_marker
    is_copied = mark("copied") and not mark("fresh") and "SKYLINE_SANITIZED_CACHE" not in os.environ

    def run(code: str, *arguments: str, check: bool = True, **settings: str) -> "Result[str]":
        path = tmp_path / "program.py"
        path.write_text("import torch, skyline\nfrom torch import nn\n" + textwrap.dedent(code))
        if is_copied and not arguments and not settings:
            done = request.getfixturevalue("copies").run(path, PATIENCE_S)
        else:
            done = in_a_fresh_process(path, arguments, settings)
        assert not check or done.returncode == 0, done.stderr
        return done

    def in_a_fresh_process(path: Path, arguments: tuple[str, ...], settings: dict[str, str]) -> "Result[str]":
        return subprocess.run(
            [sys.executable, *arguments, path],
            cwd=tmp_path,
            env=environment | settings,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )

    return run


@pytest.fixture
def ask(skyline_binary: Path) -> Callable[..., Any]:
    """ask(command, trace, …): the engine's JSON."""

    def run(*arguments: str | Path) -> Any:
        command = [skyline_binary, *arguments, "--format", "json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240)
        assert done.returncode in (0, 1), done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture
def op_calls(ask: Callable[..., Any]) -> Callable[[Path], dict[Any, int]]:
    """How often each operator was called; with by_shape also for which inputs."""

    def count(trace: Path, by_shape: bool = False) -> dict[Any, int]:
        grouping = ["--group-by", "shape"] if by_shape else []
        rows = [row for rank in ask("show", "ops", trace, *grouping)["ranks"] for row in rank["rows"]]
        assert rows, f"no operators in {trace.name}"
        return {(row["name"], row["input_shapes"]) if by_shape else row["name"]: row["calls"] for row in rows}

    return count


@pytest.fixture
def dump(skyline_binary: Path) -> Callable[[Path], list[str]]:
    """The lines of the test tool trace_dump: every event of a trace. Beside the product or in the dev build."""
    beside = skyline_binary.with_name("trace_dump")
    program = beside if beside.exists() else ROOT / "build/dev/bin/trace_dump"

    def run(trace: Path, *options: str) -> list[str]:
        assert program.exists(), f"{program.name} is not built; ./test training builds it"
        done = subprocess.run([program, *options, trace], capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run
