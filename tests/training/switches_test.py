"""Each kind of record can be switched off."""

from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.copied

TRAINING = """
    from torch.utils.data import DataLoader, TensorDataset
    model = nn.Sequential(nn.Linear(4, 4))
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    loader = DataLoader(TensorDataset(torch.ones(8, 4)), batch_size=2)
    def train(path, **switches):
        schedule = skyline.schedule(wait=0, warmup=1, active=2, repeat=1)
        with skyline.profile(path, schedule=schedule, **switches) as profile:
            for (batch,) in loader:
                optimizer.zero_grad()
                with torch.profiler.record_function("forward"):
                    loss = model(batch).sum()
                loss.backward()
                optimizer.step()
                profile.step()
"""

EVERYTHING = {"record_shapes": True, "with_stack": True, "profile_memory": True}


def what_is_in(lines: list[str], python: list[str]) -> set[str]:
    kinds = {line.split("\t")[2] for line in lines if line.startswith("slice\t")}
    found = {"ops"} if "cpu_op" in kinds else set()
    found |= {"ranges"} if "user_annotation" in kinds else set()
    found |= {"shapes"} if any("\tdims=" in line for line in lines) else set()
    found |= {"memory"} if any(line.startswith("memory\t") for line in lines) else set()
    rows = [line.split("\t") for line in python]
    found |= {"stacks"} if any(row[0] == "op" and len(row) > 3 for row in rows) else set()
    found |= {"modules"} if any(row[0] == "op" and row[2] != "-" for row in rows) else set()
    found |= {"sources"} if any(row[0] == "source" for row in rows) else set()
    return found


@pytest.mark.sanitized
def test_each_kind_of_record_can_be_switched_off(script, dump, tmp_path: Path) -> None:
    everything = {"ops", "ranges", "shapes", "memory", "stacks", "modules", "sources"}
    cases = {
        "all": (EVERYTHING, everything),
        "no_shapes": (EVERYTHING | {"record_shapes": False}, everything - {"shapes"}),
        "no_memory": (EVERYTHING | {"profile_memory": False}, everything - {"memory"}),
        "no_sources": (EVERYTHING | {"sources": False}, everything - {"sources"}),
        "no_modules": (EVERYTHING | {"with_modules": False}, everything - {"modules"}),
        "no_stacks": (EVERYTHING | {"with_stack": False}, everything - {"stacks", "modules", "sources"}),
        "no_ops": ({"ops": False}, {"ranges"}),
        "no_ranges": ({"ranges": False}, {"ops"}),
        "nothing": ({"ops": False, "ranges": False}, set()),
        "least": ({}, {"ops", "ranges"}),
    }
    script(TRAINING + f"    for path, (switches, _) in {cases!r}.items(): train(path + '.skyline', **switches)\n")
    for name, (_, expected) in cases.items():
        trace = tmp_path / f"{name}.skyline"
        assert what_is_in(dump(trace), dump(trace, "--python")) == expected, name


def test_steps_only_has_steps_optimizer_and_data_loading(script, ask, dump, tmp_path: Path) -> None:
    script(TRAINING + "    train('out.skyline', ops=False)\n")
    slices = [line.split("\t") for line in dump(tmp_path / "out.skyline") if line.startswith("slice\t")]
    assert {slice_[2] for slice_ in slices} == {"user_annotation"}
    names = Counter(slice_[7].strip('"') for slice_ in slices)
    assert names == {
        "ProfilerStep#1": 1,
        "ProfilerStep#2": 1,
        "forward": 2,
        "Optimizer.step#SGD.step": 2,
        "Optimizer.zero_grad#SGD.zero_grad": 2,
        "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__": 2,
    }
    (rank,) = ask("show", "steps", tmp_path / "out.skyline")["ranks"]
    assert [row["step"] for row in rank["rows"]] == [1, 2]
