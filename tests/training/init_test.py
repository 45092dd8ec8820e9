"""Entry points that `skyline init --no-run` writes run as they are, where the script says all that is needed."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "python/tests/scripts"

USE = """
from pathlib import Path
from skyline import _contract
entry = _contract.load(Path("entry_point.py"))
model = entry.model()
entry.run("the iteration", entry.iteration(model), *entry.inputs())
print(entry.batch_size, sum(parameter.grad is not None for parameter in model.parameters()))
"""


@pytest.mark.parametrize(("name", "said"), [("digits", "64 4"), ("cells", "16 4")])
def test_a_script_becomes_an_entry_point_that_trains(
    environment: dict[str, str], skyline_binary: Path, tmp_path: Path, name: str, said: str
) -> None:
    output = tmp_path / "entry_point.py"
    command = [skyline_binary, "init", "--python", sys.executable, SCRIPTS / f"{name}.py", "--no-run", "-o", output]
    made = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert made.returncode == 0 and made.stdout == f"wrote {output}\n", made.stderr
    done = subprocess.run(
        [sys.executable, "-c", USE],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.stdout.strip() == said, done.stderr
