"""What a few steps of a training script show of it, for `skyline init`: how its model is made and called, its loss, its
optimizer and what stands around them. It runs in a copy of this process, which ends after those steps."""

import functools
import json
import os
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from . import _contract, _init_values
from ._contract import ContractError
from ._error import Error
from ._init_values import Refused, Values
from ._script_run import Change, ScriptRun, Wanted

Seen = dict[str, Any]


def watch_run(script: Path, arguments: Sequence[str]) -> Seen:
    """Raises Error with the sentence of what is wrong."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(readable)
        os.write(writable, json.dumps(seen_or_refused(script, arguments)).encode())
        os._exit(0)
    os.close(writable)
    with os.fdopen(readable, "rb") as answer:
        text = answer.read()
    os.waitpid(child, 0)
    if not text:
        raise Error(f"{script} has ended its process in the middle of training")
    seen: Seen = json.loads(text)
    if "refused" in seen:
        raise Error(seen["refused"])
    return seen


class Enough(BaseException):
    """No more steps are needed."""


def seen_or_refused(script: Path, arguments: Sequence[str]) -> Seen:
    root = script.resolve().parent
    try:
        return Watch(script.resolve(), root, arguments).run()
    except ContractError as error:
        return {"refused": f"{error.path}:{error.line}: {error.sentence}"}
    except Refused as error:
        return {"refused": str(error)}
    except BaseException as error:
        traceback.print_exc()
        return {"refused": f"what {script} does cannot be taken apart: {type(error).__name__}: {error}"}


class Watch:
    """Listens to the script's calls. Objects are kept alive for the few steps, so that their ids stay theirs."""

    def __init__(self, script: Path, root: Path, arguments: Sequence[str]) -> None:
        self.script, self.root = script, root
        self.values = Values(script, root)
        self.run_of_script = ScriptRun(script, root, arguments, "", Change(), self)
        self.optimizer: Any = None
        self.model: Any = None
        self.calls: list[tuple[Any, tuple[Any, ...], dict[str, Any], Any]] = []  # of the model in the newest step
        self.losses: list[tuple[str, tuple[Any, ...], dict[str, Any], Any]] = []
        self.training_step: tuple[Any, ...] | None = None
        self.backward: Any = None
        self.autocast: tuple[str, str] | None = None
        self.clip: tuple[str, float] | None = None
        self.scales = False
        self.schedulers: set[str] = set()
        self.rounds = 0
        self.seen: Seen | None = None
        self.refused: Refused | None = None

    def run(self) -> Seen:
        self._listen()
        self.run_of_script.watch()
        try:
            self.run_of_script.run()
        except Enough:
            pass
        if self.refused is not None:
            raise self.refused
        if self.seen is None:
            raise Refused(f"{self.script.name} has ended after too few steps to be seen; give it more data, or epochs")
        return self.seen

    # As a session does it (_script_run.Leader).

    def before_step(self, script: ScriptRun) -> None:
        """Another optimizer."""

    def step_ended(self, script: ScriptRun) -> None:
        self.rounds += 1
        try:
            if self.rounds == 1:
                self._know_model(script)
            elif self.rounds >= 3:
                self.seen = self._describe(script)
                raise Enough
        except Refused as why:
            self.refused = why
            raise Enough from None
        except Exception as error:  # in a hook it would be lost
            traceback.print_exc()
            self.refused = Refused(
                f"what {script.path.name} does cannot be taken apart: {type(error).__name__}: {error}"
            )
            raise Enough from None
        self.calls.clear()
        self.losses.clear()

    def stands_still(self, script: ScriptRun, done: Wanted | None) -> Wanted:
        return Wanted(1 << 30, 1 << 62)

    def compiled_ns(self) -> int:
        return 0

    # What is listened to.

    def _listen(self) -> None:
        import torch
        from torch import nn

        self.values.listen()
        functional = nn.functional
        for name in dir(functional):
            if (name.endswith("_loss") or "cross_entropy" in name) and callable(getattr(functional, name)):
                setattr(functional, name, self._wrapped_loss(name, getattr(functional, name)))
        self._wrap(torch.Tensor, "backward", self._backward)
        self._wrap(nn.utils, "clip_grad_norm_", functools.partial(self._clipped, "clip_grad_norm_"))
        self._wrap(nn.utils, "clip_grad_value_", functools.partial(self._clipped, "clip_grad_value_"))
        self._wrap(torch.amp.GradScaler, "scale", self._scaled)
        base = torch.optim.lr_scheduler.LRScheduler
        usual = base.__init__

        def init(scheduler: Any, *arguments: Any, **named: Any) -> None:
            self.schedulers.add(type(scheduler).__name__)
            usual(scheduler, *arguments, **named)

        base.__init__ = init

    def _wrap(self, owner: Any, name: str, told: Callable[..., None]) -> None:
        usual = getattr(owner, name)

        @functools.wraps(usual)
        def call(*arguments: Any, **named: Any) -> Any:
            told(*arguments, **named)
            return usual(*arguments, **named)

        setattr(owner, name, call)

    def _wrapped_loss(self, name: str, usual: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(usual)
        def loss(*arguments: Any, **named: Any) -> Any:
            value = usual(*arguments, **named)
            self.losses.append((name, arguments, named, value))
            return value

        return loss

    def _backward(self, tensor: Any, *_arguments: Any, **_named: Any) -> None:
        self.backward = tensor

    def _scaled(self, scaler: Any, value: Any) -> None:
        self.scales = scaler.is_enabled()

    def _clipped(self, name: str, _parameters: Any, limit: float, *_more: Any, **_named: Any) -> None:
        self.clip = (name, float(limit))

    def _know_model(self, script: ScriptRun) -> None:
        optimizers, roots = (
            list(script.optimizers),
            [one for each in script.models.roots if (one := each()) is not None],
        )
        lightning = [one for one, _, _ in self.values.made.values() if is_lightning(one) and holds(one, optimizers)]
        if len(optimizers) > 1:
            raise Refused(
                f"{self.script.name} trains with {len(optimizers)} optimizers, and an entry point has one; "
                f"run it as it is: skyline interactive {self.script.name}"
            )
        self.optimizer = optimizers[0]
        if lightning:
            self.model = lightning[0]
            usual = self.model.training_step

            def training_step(*arguments: Any, **named: Any) -> Any:
                self.training_step = arguments
                return usual(*arguments, **named)

            self.model.training_step = training_step
            return
        if len(roots) != 1:
            raise Refused(
                f"{self.script.name} trains {len(roots)} models together, and an entry point has one; "
                f"run it as it is: skyline interactive {self.script.name}"
            )
        self.model = roots[0]
        self.model.register_forward_pre_hook(self._called, with_kwargs=True)
        self.model.register_forward_hook(self._answered, with_kwargs=True)

    def _called(self, model: Any, arguments: Any, named: Any) -> None:
        import torch

        kind = self.run_of_script.device.partition(":")[0]
        if torch.is_autocast_enabled(kind):
            self.autocast = (kind, str(torch.get_autocast_dtype(kind)))

    def _answered(self, model: Any, arguments: Any, named: Any, output: Any) -> None:
        if model.training:
            self.calls.append((model, arguments, named, output))

    # What it comes to.

    def _describe(self, script: ScriptRun) -> Seen:
        batch = script.batch_size or None
        model = self.values.expression(self.model)
        if self.training_step is not None:
            inputs, call = (
                [("batch", self.values.sample(self.training_step[0], batch))],
                "loss = model.training_step(batch, 0)",
            )
            lines = [call, 'loss = loss["loss"] if isinstance(loss, dict) else loss']
        else:
            inputs, lines = self._loss_lines(batch)
        batches = max(len(script.batches), 1) if script.watcher.has_loader else 1
        return {
            "model": model,
            "device": script.device,
            "inputs": inputs,
            "lines": lines,
            "optimizer": self.values.optimizer(self.optimizer),
            "imports": sorted(self.values.imports),
            "batch_size": batch or 1,
            "batches": batches,
            "autocast": self.autocast,
            "scales": self.scales,
            "clip": self.clip,
            "schedulers": sorted(self.schedulers),
            "from_script": self.values.uses_script,
        }

    def _loss_lines(self, batch: int | None) -> tuple[list[tuple[str, str]], list[str]]:
        """The inputs of the iteration by name, and what computes `loss` of them."""
        if not self.calls:
            raise Refused(f"{self.script.name} does not call its model as model(…) while it trains")
        _, arguments, named, output = self.calls[-1]
        given = [(f"input_{place}" if len(arguments) > 1 else "inputs", one) for place, one in enumerate(arguments)]
        given += list(named.items())
        leaves = [(name, one) for name, value in given for one in [value] if _contract.is_tensor(one)]
        call = ", ".join(
            [name for name, _ in given[: len(arguments)]] + [f"{name}={name}" for name, _ in given[len(arguments) :]]
        )
        lines = [f"output = model({call})"]
        path = self._loss_in(output)
        if path is not None:
            lines.append(f"loss = output{path}")
            return [(name, self.values.sample(value, batch)) for name, value in given], lines
        if not self.losses:
            raise Refused(
                f"the loss of {self.script.name} is computed in a way that is not known (neither a loss of torch.nn "
                f"nor one that the model gives); run it as it is: skyline interactive {self.script.name}"
            )
        name, of, options, _ = self.losses[-1]
        texts = []
        for place, one in enumerate(of):
            text, extra = self._loss_argument(one, output, leaves, batch, place)
            texts.append(text)
            given += extra
        for key, value in options.items():
            if value is not None and _init_values.default_of(name, key) != value:
                texts.append(f"{key}={self.values.expression(value)}")
        lines.append(f"loss = nn.functional.{name}({', '.join(texts)})")
        return [(key, self.values.sample(value, batch)) for key, value in given], lines

    def _loss_in(self, output: Any) -> str | None:
        """Where in the model's answer the loss stands: empty, .loss, ["loss"]."""

        def is_loss(value: Any) -> bool:
            return _contract.is_tensor(value) and value.dim() == 0 and value.requires_grad

        if is_loss(output):
            return ""
        if isinstance(output, dict) and is_loss(output.get("loss")):
            return '["loss"]'
        if is_loss(getattr(output, "loss", None)):
            return ".loss"
        if isinstance(output, tuple):
            return next((f"[{place}]" for place, one in enumerate(output) if is_loss(one)), None)
        return None

    def _loss_argument(
        self, value: Any, output: Any, leaves: list[tuple[str, Any]], batch: int | None, place: int
    ) -> tuple[str, list[tuple[str, Any]]]:
        """Its text, and an input that it needs besides."""
        if not _contract.is_tensor(value):
            return self.values.expression(value), []
        if value.requires_grad:
            for path, one in _init_values.tensors_with_paths(output):
                if one is value:
                    return f"output{path}", []
                if one.numel() == value.numel():
                    return f"output{path}.reshape({_init_values.shape_text(value, batch, free_first=True)})", []
            raise Refused(
                f"the loss of {self.script.name} is computed of something that the model does not give as it is; "
                f"run it as it is: skyline interactive {self.script.name}"
            )
        for name, one in leaves:
            if one is value or (one.data_ptr() == value.data_ptr() and one.shape == value.shape):
                return name, []
        return "targets" if place == 1 else f"targets_{place}", [
            ("targets" if place == 1 else f"targets_{place}", value)
        ]


def is_lightning(module: Any) -> bool:
    return any(each.__name__ == "LightningModule" for each in type(module).__mro__)


def holds(module: Any, optimizers: Sequence[Any]) -> bool:
    wanted = {id(one) for each in optimizers for group in each.param_groups for one in group["params"]}
    return any(id(one) in wanted for one in module.parameters())
