"""The wheel, and somebody without rights who has installed it."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from package.user import NOBODY, ROOT, User, call


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one that SKYLINE_WHEEL names (tools/wheel --test), else what `pip install .` makes: pip's isolated builds
    start from nothing each time, so it is built by tools that stay, and compiles only what has changed."""
    if named := os.environ.get("SKYLINE_WHEEL"):
        return Path(named)
    folder = tmp_path_factory.mktemp("wheel")
    tools = ROOT / "build/wheel-venv"
    if not (tools / "bin/pip").exists():
        call(sys.executable, "-m", "venv", tools)
    pinned = ("--require-hashes", "-r", ROOT / "tools/build_requirements.txt")
    call(tools / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *pinned)
    # By the name under which the release preset has compiled the same sources: ccache then has them already.
    kept = ("--config-settings", f"build-dir={ROOT / 'build/wheel'}")
    build = ("--quiet", "--no-build-isolation", "--no-deps", *kept, "--wheel-dir", folder, ROOT)
    call(tools / "bin/pip", "wheel", *build, CXX=os.environ.get("CXX", "/usr/bin/c++"))
    return next(folder.glob("skyline-*.whl"))


@pytest.fixture(scope="session")
def user(wheel: Path) -> Iterator[User]:
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to others
        user = User(Path(name))
        given = Path(shutil.copy(wheel, user.home))
        for path in (user.home, user.trace, given):
            path.chmod(0o755)
        os.chown(user.home, os.geteuid() if NOBODY is None else NOBODY, -1)
        user.run("/usr/bin/python3", "-m", "venv", user.venv)
        user.run(user.venv / "bin/pip", "install", "--quiet", "--no-index", given)
        yield user
