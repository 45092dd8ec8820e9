"""What suites wait for: presets, built one after another, and Python packages, installed meanwhile."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from suites import children
from suites.clock import Clock
from suites.runners import ROOT
from suites.table import Suite

LAST_LINES = 50

# What is built of a preset. Release is built by the launcher, whose first start is part of what we promise.
BUILDS = {
    "release": "./skyline --yes --version && build_with_progress release trace_dump {log}",
    "dev": "build_with_progress dev all {log}",
    "asan": "build_with_progress asan all {log}",
    "tsan": "build_with_progress tsan threaded {log}",
}

# What is too large for build/venv's own list, and is installed while the first preset compiles.
INSTALLS = {
    "torch": """build/venv/bin/python -c 'import torch' 2>/dev/null && exit
        echo "skyline: installing torch into build/venv" >&2
        source tools/torch.sh; pip_install_torch build/venv/bin/python""",
    # Beside other compilers it takes minutes: longer than a test waits for a session's first profile.
    "collector": """export PYTHONPATH=python XDG_CACHE_HOME=$PWD/build/training-cache
        ccache=/usr/lib/ccache/g++; [[ ! -x $ccache ]] || export CXX=$ccache
        echo "skyline: building the collector" >&2
        build/venv/bin/python -c 'import skyline._build as build; build.load_collector()'""",
    "sanitized collector": """source tools/progress.sh
        build_with_progress collector-asan skyline_collector {log}.build || exit
        export PYTHONPATH=python XDG_CACHE_HOME=$PWD/build/collector-asan/cache
        build/venv/bin/python tools/keep_collector.py build/collector-asan/lib/_collector.so""",
    "browser": """source tools/packages.sh; install_packages {log}.apt "${{browser_packages[@]}}"
        build/venv/bin/python -c 'import playwright' 2>/dev/null && exit
        echo "skyline: installing tests/browser/requirements.txt into build/venv" >&2
        build/venv/bin/pip install --disable-pip-version-check --require-hashes -r tests/browser/requirements.txt""",
}


class Preparations:
    """Two threads that prepare, and the suites' thread that asks what is ready."""

    def __init__(self, suites: list[Suite], results: Path, clock: Clock) -> None:
        self.results = results
        self.clock = clock
        presets = list(dict.fromkeys(suite.preset for suite in suites if suite.preset))
        packages = list(dict.fromkeys(need for suite in suites for need in suite.needs))
        self.threads = [
            threading.Thread(target=self.work, args=(presets, self.build)),
            threading.Thread(target=self.work, args=(packages, self.install)),
        ]
        self.changed = threading.Condition()
        self.failed: dict[str, str] = {}  # what is done -> what went wrong; empty: nothing

    def start(self) -> None:
        for thread in self.threads:
            thread.start()

    def join(self) -> None:
        for thread in self.threads:
            thread.join()

    def next_ready(self, waiting: list[Suite]) -> Suite:
        """The first suite that has all it needs; waits until there is one."""
        with self.changed:
            while True:
                for suite in waiting:
                    if all(need in self.failed for need in needs_of(suite)):
                        return suite
                self.changed.wait()

    def missing(self, suite: Suite) -> list[tuple[str, str]]:
        return [(need, self.failed[need]) for need in needs_of(suite) if self.failed[need]]

    def work(self, names: list[str], prepare: Callable[[str], str]) -> None:
        for name in names:
            started = time.monotonic()
            try:
                trouble = prepare(name)
            except Exception as error:  # a suite that waits for it must hear of it
                trouble = repr(error)
            self.clock.prepared(name, time.monotonic() - started)
            with self.changed:
                self.failed[name] = trouble
                self.changed.notify_all()

    def build(self, preset: str) -> str:
        log = self.results / f"{preset}.build.log"
        script = "source tools/progress.sh; " + BUILDS[preset].format(log=log)
        return self.run(preset, ["bash", "-c", script], log)

    def install(self, name: str) -> str:
        log = self.results / f"{name}.install.log"
        return self.run(name, ["bash", "-c", INSTALLS[name].format(log=log)], log)

    def run(self, name: str, command: list[str], log: Path) -> str:
        """Empty if it worked, else the last lines of what it said."""
        with log.open("ab") as output:
            # Standard error has the one line of progress.
            code = children.run(f"preparing {name}", command, cwd=ROOT, stdout=output)
        if code == 0:
            return ""
        return "\n".join(log.read_text(errors="replace").splitlines()[-LAST_LINES:]) or f"exit {code}"


def needs_of(suite: Suite) -> list[str]:
    return [*([suite.preset] if suite.preset else []), *suite.needs]
