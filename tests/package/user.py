"""Somebody without rights who installs a wheel and uses it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TRACE = ROOT / "examples/traces/small_cnn.json.gz"
NOBODY = 65534 if os.geteuid() == 0 else None
PATIENCE_S = 1200


def call(*command: str | Path, **environment: str) -> None:
    settings = os.environ | {"CMAKE_BUILD_PARALLEL_LEVEL": str(len(os.sched_getaffinity(0)))} | environment
    done = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=PATIENCE_S)
    if "No matching distribution found" in done.stderr:
        pytest.skip("no package index to fetch scikit-build-core from")
    assert done.returncode == 0, done.stdout + done.stderr


class User:
    """Somebody with a home and nothing else, in whose PATH there is only what was installed."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.venv = home / "venv"
        self.trace = Path(shutil.copy(TRACE, home))
        self.environment = {"HOME": str(home), "PATH": str(self.venv / "bin"), "LANG": "C.UTF-8"}

    def start(self, *words: str | Path) -> "subprocess.Popen[str]":
        # The program is looked for in our own PATH, not in the user's.
        found = shutil.which(words[0], path=self.environment["PATH"]) or words[0]
        return subprocess.Popen(
            [found, *words[1:]],
            user=NOBODY,
            cwd=self.home,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str | Path) -> str:
        with self.start(*words) as process:
            printed, complaints = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, printed + complaints
        return printed

    @property
    def package(self) -> Path:
        return next(self.venv.glob("lib/python*/site-packages/skyline"))
