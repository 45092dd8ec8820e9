"""What ./test says of its suites: nothing that failed may be missing, and only bad luck gets a second try."""

import importlib
import sys
from pathlib import Path

import pytest

from suites import children
from suites.clock import Clock
from suites.prepare import Preparations
from suites.results import Case, Kind, Sum, gtest_cases, kind_of_failure, other_cases, pytest_cases
from suites.retry import MOST_FLAKY, MOST_TRIED, second_try, verdict
from suites.runners import Place, end_of_program, judge_pytest
from suites.table import Suite, all_suites

GTEST = """<testsuites><testsuite name="A">
<testcase name="Passes" status="run" time="1.5" classname="A"/>
<testcase name="Fails" status="run" classname="A"><failure message="a_test.cpp:3&#x0A;Expected: 1">x \x01</failure>
</testcase>
<testcase name="Skips" status="run" classname="A"><skipped message="a_test.cpp:4&#x0A;no such device&#x0A;"/></testcase>
<testcase name="DISABLED_Other" status="notrun" classname="A"/>
</testsuite></testsuites>"""
PYTEST = """<testsuites><testsuite>
<testcase name="test_a" classname="golden.golden_test" file="golden/golden_test.py" time="0.2"/>
<testcase name="test_b[1-2]" classname="serve.x_test.TestAll" file="serve/x_test.py"><failure>assert 1 == 2</failure>
</testcase>
<testcase name="test_c" file="serve/x_test.py"><skipped message="no traces"/></testcase>
</testsuite></testsuites>"""


def written(folder: Path, text: str) -> Path:
    path = folder / "results.xml"
    path.write_text(text)
    return path


def summed(cases: list[Case]) -> Sum:
    total = Sum()
    for case in cases:
        total.add(case)
    return total


def test_gtest_programs_are_added_up_by_test(tmp_path: Path) -> None:
    total = summed(gtest_cases(written(tmp_path, GTEST), Path("bin/a_test")))
    assert str(total) == "1 passed, 1 failed, 1 skipped"
    assert total.failures[0].again == ("bin/a_test", "--gtest_filter=A.Fails")
    assert total.skips == {"no such device": 1}


def test_python_tests_can_be_named_again(tmp_path: Path) -> None:
    total = summed(pytest_cases(written(tmp_path, PYTEST), Path("/tests")))
    assert str(total) == "1 passed, 1 failed, 1 skipped"
    assert total.failures[0].again == ("/tests/serve/x_test.py::TestAll::test_b[1-2]",)


def test_tests_of_the_page_are_counted(tmp_path: Path) -> None:
    assert str(summed(other_cases(written(tmp_path, PYTEST)))) == "1 passed, 1 failed, 1 skipped"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("==12==ERROR: AddressSanitizer: heap-use-after-free", Kind.SANITIZER),
        ("WARNING: ThreadSanitizer: data race", Kind.SANITIZER),
        ("a.cpp:3:4: runtime error: signed integer overflow", Kind.SANITIZER),
        ("terminate called after throwing an instance of 'std::bad_alloc'", Kind.CRASH),
        ("died with <Signals.SIGSEGV: 11>", Kind.CRASH),
        ("worker 'gw0' crashed while running 'serve/x_test.py::test_a'", Kind.CRASH),
        ("E   assert -6 == 0", Kind.CRASH),
        ("subprocess.TimeoutExpired: Command 'skyline' timed out after 120 seconds", Kind.HANG),
        ("Failed: Timeout (>600.0s) from pytest-timeout.", Kind.HANG),
        ("E   assert 1 == 2", Kind.FAILED),
        ("playwright._impl._errors.TimeoutError: Locator.click: Timeout 240000ms exceeded.", Kind.FAILED),
    ],
)
def test_a_failure_is_called_what_it_is(text: str, kind: Kind) -> None:
    assert kind_of_failure(text) is kind


def test_a_program_that_dies_names_the_test_it_was_in() -> None:
    log = "[ RUN      ] A.First\n[       OK ] A.First (1 ms)\n[ RUN      ] A.Second\n"
    assert end_of_program("a_test", -11, log).kind is Kind.CRASH
    assert end_of_program("a_test", -11, log).name == "a_test, in A.Second"
    assert end_of_program("a_test", None, log).kind is Kind.HANG
    assert end_of_program("a_test", 1, log + "AddressSanitizer: 8 byte(s) leaked").kind is Kind.SANITIZER


def test_pytest_that_ends_badly_without_a_failed_test_is_a_failure(tmp_path: Path) -> None:
    place = Place(tmp_path, "golden")
    place.log.write_text("INTERNALERROR> no such fixture\n")
    (case,) = judge_pytest(place, tmp_path / "none.xml", 3)
    assert case.kind is Kind.FAILED
    assert "no such fixture" in case.text


def test_a_cut_off_result_file_is_a_failure(tmp_path: Path) -> None:
    (case,) = judge_pytest(Place(tmp_path, "golden"), written(tmp_path, PYTEST[:60]), 0)
    assert case.kind is Kind.FAILED


def failed(name: str, kind: Kind = Kind.FAILED) -> Case:
    return Case(name, kind, again=("words",))


def tried(total: Sum, outcome: Kind) -> tuple[Sum, list[str]]:
    names: list[str] = []

    def rerun(case: Case) -> list[Case]:
        names.append(case.name)
        return [Case(case.name, outcome)]

    return second_try(total, rerun), names


def test_a_failure_that_passes_alone_is_flaky_and_no_failure() -> None:
    total, names = tried(Sum(passed=5, failures=[failed("a")]), Kind.PASSED)
    assert names == ["a"]
    assert str(total) == "6 passed, 0 failed, 0 skipped"
    assert [case.name for case in total.flaky] == ["a"]
    assert verdict(total) is total


def test_a_failure_that_fails_again_stays_one() -> None:
    total, _ = tried(Sum(failures=[failed("a")]), Kind.FAILED)
    assert [case.name for case in total.failures] == ["a"]


@pytest.mark.parametrize("kind", [Kind.SANITIZER, Kind.CRASH, Kind.HANG])
def test_a_sanitizers_report_a_crash_and_a_hang_get_no_second_try(kind: Kind) -> None:
    total, names = tried(Sum(failures=[failed("a", kind)]), Kind.PASSED)
    assert (names, len(total.failures)) == ([], 1)


def test_a_second_try_that_runs_nothing_does_not_excuse() -> None:
    assert len(second_try(Sum(failures=[failed("a")]), lambda case: []).failures) == 1


def test_a_broken_suite_is_not_tried_test_by_test() -> None:
    _, names = tried(Sum(failures=[failed(str(i)) for i in range(MOST_TRIED + 1)]), Kind.PASSED)
    assert names == []


def test_too_many_flaky_tests_fail_the_run() -> None:
    flaky = [failed(str(i)) for i in range(MOST_FLAKY + 1)]
    assert str(verdict(Sum(passed=9, flaky=flaky))) == f"{9 - len(flaky)} passed, {len(flaky)} failed, 0 skipped"
    assert verdict(Sum(passed=9, flaky=flaky[1:])).failures == []


def test_second_tries_come_when_all_suites_have_run_and_nothing_is_prepared_any_more(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    order: list[str] = []

    class Prepared(Preparations):
        def join(self) -> None:
            super().join()
            order.append("prepared")

    def unlucky(name: str) -> Suite:
        def run(place: Place) -> list[Case]:
            order.append(name)
            return [failed(f"test_of_{name}")]

        def again(place: Place, case: Case) -> list[Case]:
            order.append(f"{name} again")
            return [Case(case.name, Kind.PASSED if name == "a" else Kind.FAILED, "as it was alone")]

        return Suite(name, run, again, preset="")

    main = importlib.import_module("suites.__main__")
    monkeypatch.setattr(main, "Preparations", Prepared)
    monkeypatch.setattr(main, "all_suites", lambda: [unlucky("a"), unlucky("b")])
    assert main.main([]) == 1
    assert order == ["a", "b", "prepared", "a again", "b again"]
    said = capsys.readouterr().out
    assert "FLAKY a: test_of_a" in said
    assert "FAILED again, alone, b: test_of_b\n    as it was alone\n" in said
    assert said.endswith("flaky: test_of_a\n1 passed, 1 failed, 0 skipped\n")


def test_processor_time_of_children_and_theirs_is_charged_to_their_purpose(tmp_path: Path) -> None:
    busy = "import time\nwhile time.process_time() < 0.3: pass"
    code = f"import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', {busy!r}]).returncode + 3)"
    assert children.run("busy", [sys.executable, "-c", code]) == 3
    assert 0.3 <= children.spent_s["busy"] < 5
    assert children.run("late", ["sleep", "1000"], patience_s=0.1) is None


def suite(name: str, *needs: str) -> Suite:
    return Suite(name, lambda place: [], lambda place, case: [], preset="", needs=needs)


def test_a_suite_runs_when_what_it_needs_is_there_and_hears_what_failed(tmp_path: Path) -> None:
    suites = [suite("slow", "torch"), suite("quick")]
    preparations = Preparations(suites, tmp_path, Clock())
    assert preparations.next_ready(suites).name == "quick"
    preparations.work(["torch"], lambda name: "no network")
    assert preparations.next_ready(suites).name == "slow"
    assert preparations.missing(suites[0]) == [("torch", "no network")]


def test_what_breaks_while_preparing_fails_the_suite_instead_of_leaving_it_waiting(tmp_path: Path) -> None:
    def prepare(name: str) -> str:
        raise OSError("disk full")

    suites = [suite("slow", "torch")]
    preparations = Preparations(suites, tmp_path, Clock())
    preparations.work(["torch"], prepare)
    assert "disk full" in preparations.missing(preparations.next_ready(suites))[0][1]


def test_every_folder_with_python_tests_is_a_suite() -> None:
    root = Path(__file__).resolve().parents[1]
    names = [suite.name for suite in all_suites()]
    assert {path.parent.name for path in root.glob("*/*_test.py")} <= set(names)
    assert len(names) == len(set(names))


def test_the_table_of_times_names_the_slowest(tmp_path: Path) -> None:
    clock = Clock()
    clock.prepared("asan", 100)
    clock.ran("golden", 20, [Case("test_a", Kind.PASSED, seconds=3), Case("test_b", Kind.PASSED, seconds=4)])
    table = clock.table()
    rows = [line for line in table.splitlines() if " of processor time  " in line]
    assert [row.split("  ")[-1] for row in rows] == ["preparing asan", "golden"]
    assert rows[0].strip().startswith("100 s ")
    assert table.index("4.0 s  golden: test_b") < table.index("3.0 s  golden: test_a")
