"""Where `skyline run` writes the trace."""

from pathlib import Path

import pytest

from skyline import Error
from skyline._trace_place import MAGIC, TracePlace

RANK_1 = {"WORLD_SIZE": "2", "RANK": "1", "LOCAL_RANK": "1"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("asked", "named"),
    [("out.skyline", "out.rank1.skyline"), ("a.b.skyline", "a.b.rank1.skyline"), ("out", "out.rank1")],
)
def test_each_rank_has_a_trace_of_its_own(folder: Path, asked: str, named: str) -> None:
    place = TracePlace(Path(asked), "train", RANK_1)
    assert place.path == folder / named
    assert not place.wants_report
    assert TracePlace(None, "train", RANK_1).path.name.endswith(".rank1.skyline")


@pytest.mark.parametrize("alone", [{}, {"WORLD_SIZE": "1", "RANK": "0"}, {"WORLD_SIZE": "", "RANK": "3"}])
def test_a_process_alone_has_no_rank(folder: Path, alone: dict[str, str]) -> None:
    place = TracePlace(Path("out.skyline"), "train", alone)
    assert (place.path, place.wants_report) == (folder / "out.skyline", True)


def test_names_of_the_same_second_differ(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.strftime", lambda _format: "noon")
    first, second, third = (TracePlace(None, "train", {}) for _ in range(3))
    first.claim()
    second.claim()
    first.path.touch()  # the first one's window is open
    first.release()
    third.claim()
    names = [place.path.name for place in (first, second, third)]
    assert names == ["train.noon.skyline", "train.noon-2.skyline", "train.noon-3.skyline"]


def test_what_was_asked_for_is_not_made_before_there_is_something_to_write(folder: Path) -> None:
    (folder / "out.start.skyline").touch()  # somebody else's
    place = TracePlace(Path("out.skyline"), "train", {})
    place.claim()
    place.release()
    assert [path.name for path in folder.iterdir()] == ["out.start.skyline"]


@pytest.mark.parametrize(
    ("text", "is_trace"),
    [(b"", True), (MAGIC + b"\0", True), (b'{\n  "schemaVersion": 1,', True), (b"{}", False), (b"import torch", False)],
)
def test_only_a_trace_is_replaced(folder: Path, text: bytes, is_trace: bool) -> None:
    (folder / "out").write_bytes(text)
    place = TracePlace(Path("out"), "train", {})
    if is_trace:
        place.refuse_to_overwrite()
        return
    with pytest.raises(Error, match="out is there already and is no trace; name another file with -o, or remove it"):
        place.refuse_to_overwrite()


def test_a_folder_is_no_place_for_a_trace(folder: Path) -> None:
    with pytest.raises(Error, match="which is a folder"):
        TracePlace(folder, "train", {}).refuse_to_overwrite()
