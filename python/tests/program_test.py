"""What a script does not see of `skyline run`; with torch in tests/training/run_like_python_test.py."""

from pathlib import Path

import pytest

from skyline._program import hide_launcher

CHECKOUT = "/src/build/release/bin/skyline"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"PYTHONPATH": "/src/python", "SKYLINE_BIN": CHECKOUT}, {}),
        ({"PYTHONPATH": "/src/python:/mine", "SKYLINE_BIN": CHECKOUT}, {"PYTHONPATH": "/mine"}),
        ({"PYTHONPATH": "/src/python", "SKYLINE_BIN": "/src/python/skyline/bin/skyline"}, {}),
        ({"PYTHONPATH": "/src/python"}, {"PYTHONPATH": "/src/python"}),  # `python -m skyline run`
        ({"PYTHONPATH": "/mine", "SKYLINE_BIN": CHECKOUT}, {"PYTHONPATH": "/mine", "SKYLINE_BIN": CHECKOUT}),
        ({"PYTHONPATH": "/src/python", "SKYLINE_BIN": "/x"}, {"PYTHONPATH": "/src/python", "SKYLINE_BIN": "/x"}),
    ],
)
def test_the_environment_is_the_users(before: dict[str, str], after: dict[str, str]) -> None:
    hide_launcher(before, Path("/src/python/skyline"))
    assert before == after
