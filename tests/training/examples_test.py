"""The example models train, and a recording knows their parts."""

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/entry_point.py"))

TRAIN_EACH = """
import importlib, sys
import torch
import skyline
for name in {names}:
    sys.path.insert(0, "{examples}/" + name)
    entry = importlib.import_module("entry_point")
    model = entry.skyline_model_provider()
    iteration = entry.skyline_iteration_provider(model)
    inputs = entry.skyline_input_provider(batch_size=2)
    before = [parameter.detach().clone() for parameter in model.parameters()]
    with skyline.profile(name + ".skyline", with_stack=True):
        iteration(*inputs)
    changed = sum(bool((a != b).any()) for a, b in zip(before, model.parameters()))
    print(name, changed == len(before) and all(bool(p.isfinite().all()) for p in model.parameters()))
    sys.path.pop(0)
    del sys.modules["entry_point"], sys.modules["model"]
"""

# Instances that a loop calls, told apart by name.
PARTS = {
    "cnn": ['"blocks.0" "Block"', '"blocks.2" "Block"', '"head" "Linear"'],
    "gpt": ['"blocks.0.attention" "SelfAttention"', '"blocks.3" "Block"'],
    "lstm_attention": ['"reader" "LSTM"', '"attention" "Attention"'],
    "resnet50": ['"stages.0.0" "Bottleneck"', '"stages.3.2" "Bottleneck"'],
    "slow_on_purpose": ['"first" "Conv2d"', '"head" "Linear"'],
    "transformer": ['"encoder.0" "EncoderLayer"', '"decoder.2.self_attention" "Attention"'],
}


def test_every_example_trains_and_its_modules_are_known(environment: dict[str, str], dump, tmp_path: Path) -> None:
    assert NAMES == sorted(PARTS)
    code = TRAIN_EACH.format(names=NAMES, examples=EXAMPLES)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{name} True" for name in NAMES]
    for name, parts in PARTS.items():
        text = "\n".join(dump(tmp_path / f"{name}.skyline", "--python"))
        assert [part for part in parts if part not in text] == [], name
