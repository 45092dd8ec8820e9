"""`skyline init` writes what a run has shown, and nothing where that would not run."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parent / "scripts"

Init = "subprocess.CompletedProcess[str]"


@pytest.fixture
def init(environment: dict[str, str], skyline_binary: Path, tmp_path: Path):
    def run(name: str, text: str | None = None, *arguments: str) -> Init:
        (tmp_path / name).write_text(text if text is not None else (SCRIPTS / name).read_text())
        command = [skyline_binary, "init", "--python", sys.executable, tmp_path / name, *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)

    return run


# As people write them, and with all that may stand around an iteration.
CAREFUL = (
    (SCRIPTS / "arguments.py")
    .read_text()
    .replace(
        "            nn.functional.mse_loss(model(inputs), targets).backward()\n",
        '            with torch.autocast("cpu", dtype=torch.bfloat16):\n'
        "                loss = nn.functional.mse_loss(model(inputs), targets)\n"
        "            loss.backward()\n"
        "            nn.utils.clip_grad_norm_(model.parameters(), 0.5)\n",
    )
)


def test_what_was_seen_is_written_and_has_run(init, tmp_path: Path) -> None:
    done = init("arguments.py", CAREFUL, "--", "--epochs", "9")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"wrote {tmp_path / 'entry_point.py'}; one iteration of it took ")
    assert "running" in done.stderr and "for a few steps" in done.stderr
    text = (tmp_path / "entry_point.py").read_text()
    for line in (
        "return nn.Linear(8, 1).train()",
        "def skyline_input_provider(batch_size=10):",
        "inputs = torch.randn((batch_size, 8,))",
        "optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)",
        'with torch.autocast("cpu", dtype=torch.bfloat16):',
        "nn.utils.clip_grad_norm_(model.parameters(), 0.5)",
    ):
        assert line in text, text


def test_the_scripts_own_classes_are_imported_and_dicts_stay_what_they_are(init, tmp_path: Path) -> None:
    done = init("trainer.py")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "entry_point.py").read_text()
    assert "from trainer import Classifier" in text and "class Classifier" not in text
    assert "input_ids = torch.randint(0, 50, (batch_size, 12,), dtype=torch.int64)" in text
    assert "output = model(input_ids=input_ids, label=label)" in text and 'loss = output["loss"]' in text


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (
            "gan.py",
            "gan.py trains with 2 optimizers, and an entry point has one; run it as it is: skyline interactive gan.py",
        ),
        ("get_batch.py", 'get_batch.py has no `if __name__ == "__main__":`, so that its classes cannot be imported'),
        ("ranks.py", "ranks.py:15: ranks.py starts 2 ranks, but a session runs one process"),
    ],
)
def test_a_script_that_cannot_be_taken_apart_gives_the_reason_and_no_file(
    init, tmp_path: Path, name: str, why: str
) -> None:
    done = init(name)
    assert done.returncode == 1
    assert f"no entry point was written: {tmp_path}/{why}" in done.stderr or f"written: {why}" in done.stderr, (
        done.stderr
    )
    assert [one.name for one in tmp_path.iterdir() if "entry" in one.name] == []
