"""The golden runner must fail when it should: tried on a `skyline` of three lines of shell."""

from pathlib import Path

import pytest

from golden.runner import bless, expected, failures


@pytest.fixture
def fake(tmp_path: Path) -> Path:
    binary = tmp_path / "bin" / "skyline"
    binary.parent.mkdir()
    binary.write_text('#!/bin/sh\ncat trace.json\necho "arg: $1" >&2\nexit "${2:-0}"\n')
    binary.chmod(0o755)
    return binary


@pytest.fixture
def case(tmp_path: Path) -> Path:
    folder = tmp_path / "echo_prints_the_trace"
    folder.mkdir()
    (folder / "trace.json").write_text("{}\n")
    (folder / "cmd").write_text('skyline "two words"\n')
    (folder / "expect.txt").write_text("{}\narg: two words\n")
    return folder


def test_equal_output_passes(case: Path, fake: Path) -> None:
    assert failures(case, fake) == []


def test_other_output_fails_and_shows_a_diff(case: Path, fake: Path) -> None:
    (case / "expect.txt").write_text("{}\narg: one word\n")
    found = failures(case, fake)
    assert "-arg: one word\n+arg: two words" in found[0]


def test_missing_line_end_at_the_end_fails(case: Path, fake: Path) -> None:
    (case / "expect.txt").write_text("{}\narg: two words")
    assert "line ends" in failures(case, fake)[0]


def test_other_exit_code_fails(case: Path, fake: Path) -> None:
    (case / "exit").write_text("2\n")
    assert "exit code 0, expected 2" in failures(case, fake)[0]


@pytest.mark.parametrize("variable", ["SKYLINE_THREADS", "SKYLINE_CHUNK_BYTES"])
def test_output_that_depends_on_the_configuration_fails(case: Path, fake: Path, variable: str) -> None:
    fake.write_text(f'#!/bin/sh\necho "${{{variable}:-default}}"\n')
    (case / "expect.txt").write_text("default\n")
    assert failures(case, fake)
    with pytest.raises(ValueError, match="depends on the configuration"):
        bless(case, fake)


def test_settings_of_the_caller_do_not_reach_the_case(case: Path, fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKYLINE_COLOUR", "always")
    fake.write_text('#!/bin/sh\necho "${SKYLINE_COLOUR:-none}"\n')
    (case / "expect.txt").write_text("none\n")
    assert failures(case, fake) == []


def test_bless_writes_output_and_exit_code_once(case: Path, fake: Path) -> None:
    (case / "cmd").write_text("skyline bad 2\n")
    assert bless(case, fake)
    assert expected(case).output == b"{}\narg: bad\n"
    assert expected(case).exit_code == 2
    assert not bless(case, fake)


def test_bless_refuses_a_crash(case: Path, fake: Path) -> None:
    fake.write_text("#!/bin/sh\nkill -SEGV $$\n")
    with pytest.raises(ValueError, match="crash"):
        bless(case, fake)
