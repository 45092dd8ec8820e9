"""Runs golden cases: a command line over a small trace, and the bytes it must print.

A case is a folder whose name is a sentence:

    cmd          one shell line, run inside the folder; `skyline` is the binary under test
    expect.txt   what it prints, standard output and standard error together
    exit         the exit code, if it is not 0
    trace.json   or whatever else the command reads

Each case runs once as a user would and once under each of CONFIGS, which choose how the work is cut up and
must not change a byte of the result.
"""

import difflib
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

CASES_FOLDER = Path(__file__).resolve().parent

# Of every trace, however small; the folder goes when the tests end.
CACHE_FOLDER = tempfile.TemporaryDirectory(prefix="skyline_golden_")
CACHE = {"XDG_CACHE_HOME": CACHE_FOLDER.name, "SKYLINE_CACHE_MIN_BYTES": "0"}

CONFIGS: dict[str, dict[str, str]] = {
    "as a user would": {},
    "one thread": {"SKYLINE_THREADS": "1"},
    "four threads": {"SKYLINE_THREADS": "4"},
    "one-byte chunks": {"SKYLINE_CHUNK_BYTES": "1"},
    "keeping copies": CACHE,
    "from the copies": CACHE,
}
TIMEOUT_S = 240


def chosen_configs() -> dict[str, dict[str, str]]:
    """All, or those that SKYLINE_GOLDEN_CONFIGS names: under a sanitizer each run takes long."""
    wanted = os.environ.get("SKYLINE_GOLDEN_CONFIGS")
    return {name: CONFIGS[name] for name in wanted.split(",")} if wanted else CONFIGS


@dataclass(frozen=True)
class Outcome:
    output: bytes
    exit_code: int


def find_cases(folder: Path = CASES_FOLDER) -> list[Path]:
    """Each subfolder, even one without cmd: a forgotten file should fail, not hide the case."""
    return sorted(path for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__")


def run(case: Path, binary: Path, config: dict[str, str]) -> Outcome:
    # Nothing of the caller's terminal or settings may show in the output.
    environment = {
        name: value for name, value in os.environ.items() if name != "COLUMNS" and not name.startswith("SKYLINE_")
    }
    environment |= {"PATH": f"{binary.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "TERM": "dumb", **config}
    done = subprocess.run(
        ["/bin/sh", "-c", (case / "cmd").read_text()],
        cwd=case,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=TIMEOUT_S,
        check=False,
    )
    return Outcome(done.stdout, done.returncode)


def expected(case: Path) -> Outcome:
    exit_file = case / "exit"
    return Outcome((case / "expect.txt").read_bytes(), int(exit_file.read_text()) if exit_file.exists() else 0)


def difference(wanted: Outcome, got: Outcome) -> str:
    """Empty if equal; otherwise what a reviewer wants to see."""
    lines = []
    if got.exit_code != wanted.exit_code:
        lines.append(f"exit code {got.exit_code}, expected {wanted.exit_code}")
    if got.output != wanted.output:
        texts = [side.output.decode(errors="backslashreplace").splitlines() for side in (wanted, got)]
        lines += difflib.unified_diff(*texts, "expected", "got", lineterm="")
        if texts[0] == texts[1]:
            lines.append("the outputs differ in line ends only")
    return "\n".join(lines)


def failures(case: Path, binary: Path) -> list[str]:
    wanted = expected(case)
    found = []
    for name, config in chosen_configs().items():
        if text := difference(wanted, run(case, binary, config)):
            found.append(f"{case.name}, {name}:\n{text}")
    return found


def bless(case: Path, binary: Path) -> bool:
    """Makes what the binary prints now the expectation; true if that is something new."""
    outcomes = {name: run(case, binary, config) for name, config in CONFIGS.items()}
    now = outcomes["as a user would"]
    for name, outcome in outcomes.items():
        if text := difference(now, outcome):
            raise ValueError(f"{case.name}: the output depends on the configuration ({name}):\n{text}")
    if now.exit_code not in (0, 1, 2):
        raise ValueError(f"{case.name}: exit code {now.exit_code} is a crash, not an expectation")
    if (case / "expect.txt").exists() and expected(case) == now:
        return False
    (case / "expect.txt").write_bytes(now.output)
    (case / "exit").unlink(missing_ok=True)
    if now.exit_code:
        (case / "exit").write_text(f"{now.exit_code}\n")
    return True
