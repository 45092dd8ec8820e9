"""A wheel is installed and used by a user without rights, network, or compiler in the PATH."""

import zipfile
from pathlib import Path

from package.user import User


def test_every_python_is_promised(wheel: Path) -> None:
    assert wheel.name.startswith("skyline-0.1.0-py3-none-")


def test_the_program_answers(user: User) -> None:
    assert user.run("skyline", "--version") == "skyline 0.1.0\n"
    assert "of the step waits for batches" in user.run("skyline", "report", user.trace)
    assert user.run("python", "-c", "import skyline; print(skyline.__version__)") == "0.1.0\n"


def test_what_is_installed_is_what_is_in_the_wheel(wheel: Path, user: User) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if name.startswith("skyline/")}
    assert names and all((user.package.parent / name).exists() for name in names)
