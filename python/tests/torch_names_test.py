"""The table of torch's names, by itself and in the guide. tests/training/drop_in_test.py compares it with torch."""

from pathlib import Path

import pytest

import skyline
from skyline import _torch_names
from skyline._averages import OpAverage
from skyline._torch_names import REFUSED, WORKS, works

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "recording.md"


def table() -> str:
    lines = ["| of | works | is refused |", "|---|---|---|"]
    for owner in WORKS:
        reasons: dict[str, list[str]] = {}
        for name, reason in REFUSED.get(owner, {}).items():
            reasons.setdefault(reason, []).append(f"`{name}`")
        refused = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in reasons.items())
        lines.append(f"| {owner} | {' '.join(f'`{name}`' for name in works(owner))} | {refused or 'nothing'} |")
    return "\n".join(lines)


def test_no_name_works_and_is_refused() -> None:
    for owner in REFUSED:
        assert not set(works(owner)) & set(REFUSED[owner]), owner


def test_the_guide_has_the_table() -> None:
    text = GUIDE.read_text()
    begin, end = "prints the table when it differs -->\n", "\n<!-- end of torch's names -->"
    assert text[text.index(begin) + len(begin) : text.index(end)] == table()


def test_a_refused_name_says_why_and_is_no_attribute() -> None:
    profile = skyline.profile()
    assert not hasattr(profile, "export_memory_timeline")
    with pytest.raises(skyline.Error, match="no export_memory_timeline: use `skyline show memory TRACE`"):
        profile.export_memory_timeline("memory.html")
    with pytest.raises(skyline.Error, match="no toggle_collection_dynamic: use a schedule"):
        profile.toggle_collection_dynamic(False, [])
    with pytest.raises(skyline.Error, match="no add: events are read from the trace"):
        OpAverage("aten::mm", 1, 1.0, 1.0, 0.0, 0.0).add(None)


def test_a_name_that_torch_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no sorcery") as raised:
        skyline.profile().sorcery  # noqa: B018
    assert not isinstance(raised.value, _torch_names.RefusedNameError)


def test_groups_that_are_not_recorded_are_refused() -> None:
    with pytest.raises(skyline.Error, match="does not group by stack"):
        skyline.profile().key_averages(group_by_stack_n=5)
    with pytest.raises(skyline.Error, match="overload names are not recorded"):
        skyline.profile().key_averages(group_by_overload_name=True)
