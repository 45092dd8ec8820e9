"""The last line of ./test: nothing that failed may be missing from it."""

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools/sum_results.py"

CTEST = """<testsuite>
<testcase name="A.Passes" status="run"><system-out>fine \x01</system-out></testcase>
<testcase name="A.Fails" status="fail"><failure message=""/><system-out>Expected: 1</system-out></testcase>
<testcase name="A.Skips" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>a_test.cpp:4: Skipped
no such device
</system-out></testcase>
</testsuite>"""
PYTEST = """<testsuites><testsuite><testcase name="test_a"/>
<testcase name="test_b"><skipped message="no traces"/></testcase></testsuite></testsuites>"""


def run(results: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, TOOL, results, *args], capture_output=True, text=True, check=False)


def write(results: Path, suite: str, status: int, **files: str) -> None:
    (results / f"{suite}.status").write_text(f"{status}\n")
    (results / f"{suite}.log").write_text(f"log of {suite}\n")
    for kind, text in files.items():
        (results / f"{suite}.{kind}.xml").write_text(text)


def test_adds_up_both_runners(tmp_path: Path) -> None:
    write(tmp_path, "unit", 8, ctest=CTEST)
    write(tmp_path, "golden", 0, pytest=PYTEST)
    done = run(tmp_path)
    assert done.stdout == "2 passed, 1 failed, 2 skipped\n"
    assert done.returncode == 1


def test_success_is_exit_zero(tmp_path: Path) -> None:
    write(tmp_path, "golden", 0, pytest=PYTEST)
    assert run(tmp_path).returncode == 0


def test_suite_that_did_not_get_to_its_tests_counts_as_a_failure(tmp_path: Path) -> None:
    write(tmp_path, "golden", 0, pytest=PYTEST)
    write(tmp_path, "asan", 1)
    assert run(tmp_path).stdout == "1 passed, 1 failed, 1 skipped\n"
    assert "log of asan" in run(tmp_path, "--suite", "asan").stdout


def test_cut_off_result_file_counts_as_a_failure(tmp_path: Path) -> None:
    write(tmp_path, "golden", 0, pytest=PYTEST[:60])
    assert run(tmp_path).stdout == "0 passed, 1 failed, 0 skipped\n"


def test_nothing_run_is_no_success(tmp_path: Path) -> None:
    assert run(tmp_path).returncode == 1


def test_suite_line_names_failures_and_reasons_of_skips(tmp_path: Path) -> None:
    write(tmp_path, "unit", 8, ctest=CTEST)
    shown = run(tmp_path, "--suite", "unit", "--seconds", "3").stdout
    assert "FAILED unit: A.Fails\n    Expected: 1\n" in shown
    assert "skipped 1 in unit: no such device" in shown
    assert shown.endswith("1 passed, 1 failed, 1 skipped  (3 s)\n")
