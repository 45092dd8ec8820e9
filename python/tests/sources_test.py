"""Whose a source file is."""

import sysconfig
from pathlib import Path

import pytest

from skyline import _sources


@pytest.fixture
def stdlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "lib" / "python3.99"
    (folder / "site-packages").mkdir(parents=True)
    monkeypatch.setattr(sysconfig, "get_paths", lambda: {"stdlib": str(folder), "platstdlib": str(folder)})
    monkeypatch.setattr(_sources, "foreign_folders", lambda: (f"{folder}/",))
    _sources.is_users.cache_clear()
    return folder


def test_a_part_of_python_that_is_a_link_elsewhere_is_pythons(stdlib: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.py").write_text("")
    (stdlib / "sitecustomize.py").symlink_to(tmp_path / "elsewhere.py")
    assert not _sources.is_users(str(stdlib / "sitecustomize.py"), "")


def test_a_package_that_is_a_link_to_a_project_is_the_users(stdlib: Path, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (stdlib / "site-packages" / "project").symlink_to(tmp_path / "project")
    assert _sources.is_users(str(stdlib / "site-packages" / "project" / "model.py"), "")
