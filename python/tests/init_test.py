"""`skyline init`: what is found in scripts of six styles, and the entry points made of it."""

import os
from pathlib import Path

import pytest

from skyline import _init
from skyline._error import Error
from skyline._script import Script, read_script

SCRIPTS = Path(__file__).parent / "scripts"

FOUND = {
    "digits": ("Net()", "F.cross_entropy", "optim.Adadelta(model.parameters(), lr=0.5)", 64, "MNIST"),
    "cells": (
        "nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))",
        "nn.MSELoss()",
        "torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)",
        16,
        None,
    ),
    "objects": (
        "Tower(width=6)",
        "F.smooth_l1_loss",
        "torch.optim.AdamW(model.parameters(), lr=rate)",
        24,
        None,
    ),
    "language": ("AutoModelForCausalLM.from_pretrained('tiny-model')", None, None, 12, None),
    "parallel": (
        "models.resnet18(num_classes=10)",
        "nn.CrossEntropyLoss(label_smoothing=0.1)",
        "torch.optim.SGD(model.parameters(), lr=0.1 * world)",
        128,
        "CIFAR10",
    ),
    "bare": (None, None, None, None, None),
}

NOTES = {
    "digits": [],
    "cells": [],
    "objects": ["rate in `torch.optim.AdamW(model.parameters(), lr=rate)`"],
    "language": [],
    "parallel": ["world in `torch.optim.SGD(model.parameters(), lr=0.1 * world)`"],
    "bare": ["the optimizer", "the model", "the loss", "the batch size"],
}


def read(name: str) -> Script:
    return read_script((SCRIPTS / f"{name}.py").read_text())


def test_every_script_is_tested() -> None:
    assert sorted(path.stem for path in SCRIPTS.glob("*.py")) == sorted(FOUND) == sorted(NOTES)


@pytest.mark.parametrize("name", FOUND)
def test_model_loss_optimizer_batch_size_and_data_are_found(name: str) -> None:
    script = read(name)
    assert (script.model, script.loss, script.optimizer, script.batch_size, script.dataset) == FOUND[name]
    assert script.is_trainer == (name == "language")


@pytest.mark.parametrize("name", NOTES)
def test_what_is_not_found_is_said(name: str) -> None:
    notes = read(name).notes
    assert len(notes) == len(NOTES[name])
    assert all(note.startswith(begin) for note, begin in zip(notes, NOTES[name], strict=True))


@pytest.mark.parametrize("name", FOUND)
def test_the_entry_point_is_python_and_does_not_train(name: str) -> None:
    text = _init.entry_point_text(read(name), f"{name}.py")
    compile(text, name, "exec")
    for provider in (
        "skyline_model_provider():",
        "skyline_input_provider(batch_size=",
        "skyline_iteration_provider(model):",
    ):
        assert f"\ndef {provider}" in text
    assert "DataLoader(" not in text and "__main__" not in text and "trainer.train" not in text


def test_what_only_the_running_script_knows_is_to_be_filled_in() -> None:
    text = _init.entry_point_text(read("parallel"), "parallel.py")
    assert "    # Fill in: world.\n    optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * world)\n" in text
    assert "# Fill in" not in _init.entry_point_text(read("digits"), "digits.py")


def test_what_the_model_needs_comes_along_and_nothing_else() -> None:
    needed = "\n".join(read("digits").needed)
    assert "class Net" in needed and "HIDDEN = 64" in needed and "import torch.nn.functional as F" in needed
    assert "torchvision" not in needed and "argparse" not in needed
    assert "def init(module)" in "\n".join(read("objects").needed)


def test_an_existing_file_is_kept(tmp_path: Path, capsys) -> None:
    script = tmp_path / "train.py"
    script.write_text((SCRIPTS / "cells.py").read_text())
    assert _init.main([str(script), "--no-run"]) == 0
    assert capsys.readouterr().out == f"wrote {tmp_path / 'entry_point.py'}\n"
    with pytest.raises(Error, match="is there already"):
        _init.main([str(script), "--no-run"])
    assert _init.main([str(script), "--no-run", "--force"]) == 0


@pytest.mark.parametrize(
    ("data", "sentence"),
    [(b"def oh(:", "train.py:1: this is not Python"), (b"\xff\xfe", "is not UTF-8"), (b"x = '\0'", "is not Python")],
)
def test_a_bad_script_is_one_sentence(tmp_path: Path, data: bytes, sentence: str) -> None:
    script = tmp_path / "train.py"
    script.write_bytes(data)
    with pytest.raises(Error, match=sentence):
        _init.main([str(script), "--no-run"])


def test_a_missing_script_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Error, match="cannot be read"):
        _init.main([str(tmp_path / "nothing.py")])


def test_what_is_no_plain_file_is_one_sentence(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "train.py")
    for name in (tmp_path / "train.py", Path("/dev/zero"), tmp_path):
        with pytest.raises(Error, match="is no plain file"):
            _init.main([str(name)])
