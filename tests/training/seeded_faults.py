"""Small trainings with one fault each, and the same without it: python seeded_faults.py FOLDER NAME…

Each is recorded twice, as FOLDER/NAME.faulty.skyline and FOLDER/NAME.clean.skyline. The line that is at fault ends with
`# fault: NAME`; findings_test.py expects the finding there.
"""

import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, Dataset

import skyline

STEPS = 24
Program = Callable[[bool, Any], None]
programs: dict[str, Program] = {}


def program(function: Program) -> Program:
    programs[function.__name__] = function
    return function


class Pictures(Dataset[tuple[Tensor, int]]):
    def __init__(self, length: int, decode_s: float = 0.0) -> None:
        self.length, self.decode_s = length, decode_s

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> tuple[Tensor, int]:
        if self.decode_s:
            time.sleep(self.decode_s)  # fault: slow_decoding
        return torch.full((64,), index / self.length), index % 10


def small_model() -> nn.Sequential:
    return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))


def big_model() -> nn.Sequential:
    return nn.Sequential(nn.Linear(64, 1024), nn.ReLU(), nn.Linear(1024, 10))


def fused(model: nn.Module) -> torch.optim.Optimizer:
    return torch.optim.SGD(model.parameters(), lr=0.01, fused=True)


def batch(rows: int = 64) -> tuple[Tensor, Tensor]:
    return torch.randn(rows, 64), torch.randint(0, 10, (rows,))


def one_step(model: nn.Module, optimizer: torch.optim.Optimizer, inputs: Tensor, targets: Tensor) -> Tensor:
    optimizer.zero_grad()
    loss = cross_entropy(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss


@program
def input_workers(faulty: bool, prof: Any) -> None:
    model = big_model()
    optimizer = fused(model)
    loader = DataLoader(Pictures(STEPS * 64, decode_s=1e-4 if faulty else 0), batch_size=64)  # fault: input_workers
    for inputs, targets in loader:
        one_step(model, optimizer, inputs, targets)
        prof.step()


@program
def slow_decoding(faulty: bool, prof: Any) -> None:
    model = big_model()
    optimizer = fused(model)
    data = Pictures(STEPS * 64, decode_s=5e-4 if faulty else 0)
    for inputs, targets in DataLoader(data, batch_size=64, num_workers=2):
        one_step(model, optimizer, inputs, targets)
        prof.step()


@program
def workers_restarted(faulty: bool, prof: Any) -> None:
    model = big_model()
    optimizer = fused(model)
    loader = DataLoader(Pictures(6 * 64), batch_size=64, num_workers=1, persistent_workers=not faulty)
    for _ in range(STEPS // 6):
        for inputs, targets in loader:  # fault: workers_restarted
            one_step(model, optimizer, inputs, targets)
            prof.step()


@program
def slow_first_batch(faulty: bool, prof: Any) -> None:
    class Lazy(Pictures):
        index: Any = None

        def __getitem__(self, index: int) -> tuple[Tensor, int]:
            if self.index is None:
                if faulty:
                    time.sleep(0.4)  # fault: slow_first_batch
                self.index = {}
            return super().__getitem__(index)

    model = big_model()
    optimizer = fused(model)
    for inputs, targets in DataLoader(Lazy(STEPS * 64), batch_size=64):
        one_step(model, optimizer, inputs, targets)
        prof.step()


@program
def synchronisation(faulty: bool, prof: Any) -> None:
    model = small_model()
    optimizer = fused(model)
    total = torch.zeros(())
    for _ in range(STEPS):
        loss = one_step(model, optimizer, *batch())
        if faulty:
            total += loss.item()  # fault: synchronisation
        else:
            total += loss.detach()
        prof.step()


class Knot:
    def __init__(self) -> None:
        self.me = self


@program
def garbage_collection(faulty: bool, prof: Any) -> None:
    model = small_model()
    optimizer = fused(model)
    for _ in range(STEPS):
        if faulty:
            gc.collect()  # fault: garbage_collection
        one_step(model, optimizer, *batch())
        prof.step()


@program
def anomaly_mode(faulty: bool, prof: Any) -> None:
    model = small_model()
    optimizer = fused(model)
    with torch.autograd.set_detect_anomaly(faulty):  # fault: anomaly_mode
        for _ in range(STEPS):
            one_step(model, optimizer, *batch())
            prof.step()


@program
def printing(faulty: bool, prof: Any) -> None:
    model = small_model()
    optimizer = fused(model)
    words = ["a line of a log"] * 60_000
    for _ in range(STEPS):
        one_step(model, optimizer, *batch())
        if faulty:
            print(*words, file=sys.stderr)  # fault: printing
        prof.step()


@program
def checkpoints(faulty: bool, prof: Any) -> None:
    model = nn.Sequential(nn.Linear(64, 4096), nn.ReLU(), nn.Linear(4096, 10))
    optimizer = fused(model)
    for _ in range(STEPS):
        one_step(model, optimizer, *batch())
        if faulty:
            torch.save(model.state_dict(), Path(prof.folder) / "model.pt")  # fault: checkpoints
        prof.step()


@program
def slow_python(faulty: bool, prof: Any) -> None:
    model = small_model()
    optimizer = fused(model)
    for _ in range(STEPS):
        one_step(model, optimizer, *batch())
        if faulty:
            sum(number * number for number in range(100_000))  # fault: slow_python
        prof.step()


@program
def per_parameter_optimizer(faulty: bool, prof: Any) -> None:
    model = nn.Sequential(*[nn.Linear(64, 64) for _ in range(20)], nn.Linear(64, 10))
    optimizer = torch.optim.Adam(model.parameters(), foreach=False if faulty else None, fused=not faulty)
    for _ in range(STEPS):
        optimizer.zero_grad()
        cross_entropy(model(torch.randn(16, 64)), torch.zeros(16, dtype=torch.long)).backward()
        optimizer.step()  # fault: per_parameter_optimizer
        prof.step()


@program
def gradients_zeroed(faulty: bool, prof: Any) -> None:
    model = nn.Sequential(nn.Linear(64, 8192), nn.ReLU(), nn.Linear(8192, 10))
    optimizer = fused(model)
    for _ in range(STEPS):
        optimizer.zero_grad(set_to_none=not faulty)  # fault: gradients_zeroed
        cross_entropy(model(torch.randn(4, 64)), torch.zeros(4, dtype=torch.long)).backward()
        optimizer.step()
        prof.step()


@program
def loop_over_a_tensor(faulty: bool, prof: Any) -> None:
    model = small_model()
    optimizer = fused(model)
    for _ in range(STEPS):
        inputs, targets = batch()
        if faulty:
            inputs = torch.stack([inputs[row] * 2 for row in range(64)])  # fault: loop_over_a_tensor
        else:
            inputs = inputs * 2
        one_step(model, optimizer, inputs, targets)
        prof.step()


class Attention(nn.Module):
    def __init__(self, faulty: bool) -> None:
        super().__init__()
        self.faulty = faulty
        self.project, self.out = nn.Linear(64, 3 * 64), nn.Linear(64, 10)

    def forward(self, inputs: Tensor) -> Tensor:
        query, key, value = (
            part.unflatten(-1, (4, 16)).transpose(1, 2) for part in self.project(inputs).chunk(3, dim=-1)
        )
        if self.faulty:
            weights = torch.softmax(query @ key.transpose(-1, -2) / 4, dim=-1)  # fault: attention
            mixed = weights @ value
        else:
            mixed = nn.functional.scaled_dot_product_attention(query, key, value)
        return self.out(mixed.transpose(1, 2).flatten(2).mean(1))


@program
def attention(faulty: bool, prof: Any) -> None:
    model = Attention(faulty)
    optimizer = fused(model)
    for _ in range(STEPS):
        one_step(model, optimizer, torch.randn(4, 128, 64), torch.zeros(4, dtype=torch.long))
        prof.step()


@program
def chain(faulty: bool, prof: Any) -> None:
    model = small_model()
    optimizer = fused(model)
    field = torch.rand(64, 4096)
    for _ in range(STEPS):
        if faulty:
            field.mul(0.5).add(0.25).sub(0.125).mul(2.0).clamp(0, 1)  # fault: chain
        one_step(model, optimizer, *batch())
        prof.step()


@program
def conversions(faulty: bool, prof: Any) -> None:
    model = small_model()
    optimizer = fused(model)
    field = torch.rand(64, 4096)
    for _ in range(STEPS):
        if faulty:
            field = field.bfloat16().float()  # fault: conversions
        one_step(model, optimizer, *batch())
        prof.step()


@program
def float64(faulty: bool, prof: Any) -> None:
    model = big_model()
    kind = torch.float64 if faulty else torch.float32
    model = model.to(kind)
    optimizer = fused(model)
    for _ in range(STEPS):
        inputs, targets = batch(256)
        optimizer.zero_grad()
        loss = cross_entropy(model(inputs.to(kind)), targets)  # fault: float64
        loss.backward()
        optimizer.step()
        prof.step()


@program
def unaligned(faulty: bool, prof: Any) -> None:
    width = 1021 if faulty else 1024
    left = torch.randn(128, width, dtype=torch.bfloat16)
    right = torch.randn(width, 128, dtype=torch.bfloat16)
    for _ in range(STEPS):
        left @ right  # fault: unaligned
        prof.step()


@program
def conv_bias(faulty: bool, prof: Any) -> None:
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3, bias=faulty),  # the cure stands here, the evidence where it is called
        nn.BatchNorm2d(8),
        nn.Flatten(),
        nn.LazyLinear(10),
    )
    pictures = torch.randn(8, 3, 16, 16)
    model(pictures)
    optimizer = fused(model)
    for _ in range(STEPS):
        one_step(model, optimizer, pictures, torch.zeros(8, dtype=torch.long))
        prof.step()


@program
def recompute(faulty: bool, prof: Any) -> None:
    body = nn.Sequential(nn.Linear(64, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 10))
    optimizer = fused(body)
    for _ in range(STEPS):
        inputs, targets = batch()
        optimizer.zero_grad()
        if faulty:
            outputs = checkpoint(body, inputs, use_reentrant=False)  # fault: recompute
        else:
            outputs = body(inputs)
        cross_entropy(outputs, targets).backward()
        optimizer.step()
        prof.step()


@program
def kept_losses(faulty: bool, prof: Any) -> None:
    model = small_model()
    optimizer = fused(model)
    kept: list[Any] = []
    for _ in range(STEPS + 4):
        inputs, targets = batch(256)
        optimizer.zero_grad()
        hidden = model(inputs)  # fault: kept_losses
        loss = cross_entropy(hidden, targets)
        loss.backward()
        optimizer.step()
        kept.append(hidden if faulty else 0.0)
        prof.step()


@program
def gather(faulty: bool, prof: Any) -> None:
    model = small_model()
    optimizer = fused(model)
    table = torch.randn(4096, 256)
    for _ in range(STEPS):
        rows = torch.randint(0, 4096, (4096,))
        if faulty:
            table[rows]  # fault: gather
        one_step(model, optimizer, *batch())
        prof.step()


@program
def tiny_operators(faulty: bool, prof: Any) -> None:
    model = small_model() if faulty else big_model()
    optimizer = fused(model)
    state = torch.zeros(8)
    for _ in range(STEPS):
        if faulty:
            for _ in range(300):
                state = torch.sin(state)  # fault: tiny_operators
        one_step(model, optimizer, *batch(64 if faulty else 256))
        prof.step()


@program
def temporary_peak(faulty: bool, prof: Any) -> None:
    words = 20_000 if faulty else 100
    model = nn.Sequential(nn.Linear(16, 16), nn.Linear(16, words))
    optimizer = fused(model)
    for _ in range(STEPS):
        optimizer.zero_grad()
        outputs = model(torch.randn(128, 16))
        loss = cross_entropy(outputs, torch.zeros(128, dtype=torch.long))  # fault: temporary_peak
        loss.backward()
        optimizer.step()
        prof.step()


@program
def warm_up(faulty: bool, prof: Any) -> None:
    model = small_model()
    optimizer = fused(model)
    for step in range(STEPS):
        if faulty and step < 2:
            time.sleep(0.2)
        one_step(model, optimizer, *batch())
        prof.step()


class Recorded(skyline.profile):
    folder = ""


def record(folder: Path, name: str, faulty: bool) -> None:
    torch.manual_seed(0)
    knots = [Knot() for _ in range(100_000)] if name == "garbage_collection" and faulty else []
    gc.collect()
    trace = folder / f"{name}.{'faulty' if faulty else 'clean'}.skyline"
    profile = Recorded(
        trace,
        record_shapes=True,
        profile_memory=True,
        with_stack=True,
        samples_hz=400,
        schedule=lambda _: torch.profiler.ProfilerAction.RECORD,
    )
    profile.folder = str(folder)
    with profile as prof:
        programs[name](faulty, prof)
    del knots


if __name__ == "__main__":
    for wanted in sys.argv[2:]:
        for is_faulty in (False, True):
            record(Path(sys.argv[1]), wanted, is_faulty)
