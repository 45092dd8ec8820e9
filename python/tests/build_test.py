"""What decides whether a built collector may be used again."""

import dataclasses
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from skyline import Error, _build, _trusted


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "src"
    for layer in _build.LAYERS:
        (folder / layer).mkdir(parents=True)
        (folder / layer / "thing.h").write_text("int a;")
    (folder / "collect/room").mkdir()
    (folder / "collect/room/thing.cpp").write_text("int d;")
    (folder / "collect/bindings.cpp").write_text("int b;")
    (folder / "collect/bindings_test.cpp").write_text("int c;")
    (folder / "base/other.cpp").touch()
    list_sources(folder, "base/other.cpp", "collect/bindings.cpp", "collect/room/thing.cpp")
    return folder


def list_sources(folder: Path, *names: str) -> None:
    (folder / _build.LIST).write_text("# what is compiled\n" + "".join(f"plain {name}\n" for name in names))


@pytest.fixture
def target(source: Path, tmp_path: Path) -> _build.Target:
    compiler = tmp_path / "g++"
    compiler.write_text(f"#!/bin/sh\necho called >> {tmp_path}/calls\necho 'error: bad day' >&2\nexit 1\n")
    compiler.chmod(compiler.stat().st_mode | stat.S_IXUSR)
    return _build.Target("cpython-311", "2.13.0", tmp_path / "torch", True, str(compiler), "g++ 12.2.0", source)


def give_compiler(target: _build.Target) -> None:
    """It writes what follows -o."""
    compiler = Path(target.compiler)
    calls = compiler.with_name("calls")
    compiler.write_text(
        f'#!/bin/bash\necho >> {calls}\nwhile [ "$1" != -o ]; do shift; done\nsleep 0.01; echo a library > "$2"\n'
    )


def built(target: _build.Target) -> Path:
    give_compiler(target)
    return _build.built_collector(target)


@pytest.mark.parametrize(
    "other",
    [
        {"python": "cpython-312"},
        {"torch": "2.14.0"},
        {"torch_folder": Path("elsewhere")},
        {"cxx11_abi": False},
        {"compiler_version": "g++ 13.1.0"},
    ],
)
def test_another_environment_has_another_key(target: _build.Target, other: dict) -> None:
    assert dataclasses.replace(target, **other).key() != target.key()


def test_another_source_has_another_key(target: _build.Target, source: Path) -> None:
    before = target.key()
    (source / "base/thing.h").write_text("int A;")
    assert target.key() != before


def test_a_change_in_a_folder_within_a_layer_counts(target: _build.Target, source: Path) -> None:
    before = target.key()
    (source / "collect/room/thing.cpp").write_text("int D;")
    changed = target.key()
    (source / "collect/room/thing.h").touch()
    assert len({before, changed, target.key()}) == 3
    assert source / "collect/room/thing.cpp" in _build.compiled_files(source)


def test_sources_of_one_name_are_compiled_side_by_side(target: _build.Target, source: Path, tmp_path: Path) -> None:
    (source / "collect/thing.cpp").touch()
    list_sources(source, "collect/thing.cpp", "collect/room/thing.cpp", "collect/bindings.cpp")
    give_compiler(target)
    _build.compile_into(tmp_path, target, tmp_path / "log")
    command = (tmp_path / "log").read_text().splitlines()[-1].split()
    objects = [word for word in command if word.endswith(".o")]
    assert len(objects) == len(set(objects)) == len(_build.compiled_files(source))


def test_tests_beside_the_source_do_not_count(target: _build.Target, source: Path) -> None:
    before = target.key()
    (source / "collect/bindings_test.cpp").write_text("int d;")
    assert target.key() == before
    assert source / "collect/bindings_test.cpp" not in _build.compiled_files(source)


def test_a_source_that_joins_the_list_counts(target: _build.Target, source: Path) -> None:
    before = target.key()
    list_sources(source, "collect/bindings.cpp")
    assert target.key() != before
    assert _build.compiled_files(source) == [source / "collect/bindings.cpp"]


def test_every_source_of_the_collector_is_in_the_list_and_the_list_names_no_other() -> None:
    source = _build.source_folder()
    listed = _build.compiled_files(source)
    own = [path for path in _build.source_files(source) if path.suffix == ".cpp"]
    collects = {path for path in own if path.is_relative_to(source / "collect")}
    assert len(listed) == len(set(listed)) and [path for path in listed if not path.is_file()] == []
    assert {path for path in listed if path.is_relative_to(source / "collect")} == collects


def test_a_failed_build_is_one_sentence_with_the_log(target: _build.Target, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(Error, match="could not be compiled") as caught:
        _build.built_collector(target)
    log = _build.cache_folder() / f"{target.key()}.log"
    assert str(log) in str(caught.value) and "\n" not in str(caught.value)
    assert "bad day" in log.read_text()
    assert not (_build.cache_folder() / target.key()).exists()


def test_a_built_collector_is_not_built_again(target: _build.Target, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    library = built(target)
    calls = (tmp_path / "calls").read_text()
    assert _build.built_collector(target) == library
    assert (tmp_path / "calls").read_text() == calls


def test_no_compiler_is_one_sentence(monkeypatch) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(Error, match="no C\\+\\+ compiler"):
        _build.find_compiler()


def test_a_cache_that_can_not_be_written_is_one_sentence(target: _build.Target, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(Error, match="could not be built in"):
        _build.built_collector(target)


def test_processes_that_start_together_build_once(target: _build.Target, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    give_compiler(target)
    with ThreadPoolExecutor(3) as pool:
        libraries = {future.result() for future in [pool.submit(_build.built_collector, target) for _ in range(3)]}
    assert libraries == {_build.cache_folder() / target.key() / "_collector.so"}
    assert len((tmp_path / "calls").read_text().splitlines()) == len(_build.compiled_files(target.source)) + 1
    assert sorted(path.name for path in _build.cache_folder().iterdir()) == sorted([target.key(), "lock"])


def test_a_file_that_is_edited_meanwhile_is_not_compiled(target: _build.Target, source: Path, tmp_path: Path) -> None:
    copied = _build.snapshot(target, target.key(), tmp_path / "copy")
    (source / "collect/bindings.cpp").write_text("int edited;")
    assert all(path.is_relative_to(copied.source) for path in _build.compiled_files(copied.source))
    assert (copied.source / "collect/bindings.cpp").read_text() == "int b;"
    assert f"-I{copied.source}" in _build.compile_flags(copied)


def test_a_copy_of_an_edited_source_is_refused(target: _build.Target, source: Path, tmp_path: Path) -> None:
    key = target.key()
    (source / "collect/bindings.cpp").write_text("int edited;")
    with pytest.raises(Error, match="was changed while it was copied"):
        _build.snapshot(target, key, tmp_path / "copy")


def give_away(path: Path) -> None:
    os.chown(path, 65534, -1)


def truncate(library: Path) -> None:
    library.write_bytes(library.read_bytes()[:4])


DAMAGES = {
    "truncated": (truncate, "is damaged"),
    "empty": (lambda library: library.write_bytes(b""), "is damaged"),
    "no checksum": (lambda library: library.with_name("_collector.sha256").unlink(), "is not complete"),
    "no library": (lambda library: library.unlink(), "is not complete"),
    "writable by the group": (lambda library: library.chmod(0o660), "can be changed by other users"),
    "writable by all": (lambda library: library.chmod(0o666), "can be changed by other users"),
    "in a folder that others write": (lambda library: library.parent.chmod(0o777), "can be changed by other users"),
    "a link": (lambda library: library.rename(f"{library}.x") and library.symlink_to(f"{library}.x"), "something else"),
}
if os.geteuid() == 0:  # who else can give files away?
    DAMAGES |= {
        "another user's": (give_away, "belongs to another user"),
        "in another user's folder": (lambda library: give_away(library.parent), "belongs to another user"),
        "with another user's checksum": (
            lambda library: give_away(library.with_name("_collector.sha256")),
            "belongs to another user",
        ),
    }


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_library_that_may_not_be_loaded_is_built_anew(
    target: _build.Target, tmp_path: Path, monkeypatch, capsys, damage: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    library = built(target)
    spoil, why = DAMAGES[damage]
    spoil(library)
    capsys.readouterr()
    assert _build.built_collector(target) == library
    assert library.read_text() == "a library\n" and library.stat().st_uid == os.geteuid()
    first = capsys.readouterr().err.splitlines()[0]
    assert first.startswith(f"skyline: the collector in {library.parent} ") and why in first
    assert sorted(path.name for path in _build.cache_folder().iterdir()) == sorted([target.key(), "lock"])
    _build.built_collector(target)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("mask", [0o000, 0o002, 0o022, 0o777])
def test_the_cache_is_for_nobody_else_whatever_the_umask(
    target: _build.Target, tmp_path: Path, monkeypatch, mask: int
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "cache/skyline").mkdir(parents=True, mode=0o777)
    before = os.umask(mask if os.geteuid() == 0 else mask & 0o077)
    try:
        library = built(target)
    finally:
        os.umask(before)
    folders = [library.parent, library.parent.parent, tmp_path / "cache/skyline"]
    assert [stat.S_IMODE(path.stat().st_mode) for path in folders] == [0o700] * 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in library.parent.iterdir()} == {0o600}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("stranger", [".", ".cache", ".cache/skyline"])
def test_another_users_home_is_left_alone(tmp_path: Path, monkeypatch, capsys, stranger: str) -> None:
    home, own = tmp_path / "alice", tmp_path / "root"
    (home / ".cache/skyline").mkdir(parents=True)
    own.mkdir()
    give_away(home / stranger)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(_trusted, "own_home", lambda: own)
    assert _build.cache_folder() == own / ".cache/skyline/collector"
    assert capsys.readouterr().err == (
        f"skyline: {home / stranger} belongs to another user; the collector is kept in {own / '.cache'}\n"
    )
    monkeypatch.setattr(_trusted, "own_home", lambda: None)
    with pytest.raises(Error, match="belongs to another user; set XDG_CACHE_HOME"):
        _build.cache_folder()
