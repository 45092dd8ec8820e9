"""Writes down, as Python, what a run has shown: how a module was made, what an input looks like, an optimizer."""

import dataclasses
import inspect
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from . import _contract, _private
from ._error import Error

MOST_TEXT = 4000  # of one value
PLAIN = (str, int, float, bool, bytes, type(None))


class Refused(Error):
    """Why there is no entry point."""


class Values:
    """Remembers with what each module was made."""

    def __init__(self, script: Path, root: Path) -> None:
        self.script, self.root = script, root
        # By id, with the module itself, whose hash may be of its own making.
        self.made: dict[int, tuple[Any, tuple[Any, ...], dict[str, Any]]] = {}
        self.imports: set[str] = set()
        self.uses_script = False

    def listen(self) -> None:
        from torch import nn

        made = self.made

        def new(cls: type, *arguments: Any, **named: Any) -> Any:
            module: Any = object.__new__(cls)
            made[id(module)] = (module, arguments, named)
            return module

        nn.Module.__new__ = new

    # Values.

    def expression(self, value: Any) -> str:
        text = self._expression(value)
        if len(text) > MOST_TEXT:
            raise Refused(
                f"a value of type {type(value).__name__} that the model is made with is too long to be written"
            )
        return text

    def _expression(self, value: Any) -> str:
        import torch
        from torch import nn

        if isinstance(value, float) and not math.isfinite(value):
            return f'float("{value}")'
        if isinstance(value, PLAIN) and type(value) in PLAIN:
            return repr(value)
        if type(value) in (list, tuple, set):
            inner = ", ".join(self._expression(one) for one in value)
            if type(value) is list:
                return f"[{inner}]"
            return (
                f"({inner}{',' if len(value) == 1 else ''})"
                if type(value) is tuple
                else f"{{{inner}}}"
                if value
                else "set()"
            )
        if type(value).__name__ in ("dict", "OrderedDict"):
            return "{" + ", ".join(f"{self._expression(k)}: {self._expression(v)}" for k, v in value.items()) + "}"
        if isinstance(value, (torch.dtype, torch.device)):
            self.imports.add("import torch")
            return str(value) if isinstance(value, torch.dtype) else f'torch.device("{value}")'
        if isinstance(value, torch.Tensor) and value.numel() <= 64 and not isinstance(value, nn.Parameter):
            self.imports.add("import torch")
            return f"torch.tensor({value.tolist()!r}, dtype={value.dtype})"
        if isinstance(value, nn.Module):
            return self._module(value)
        if isinstance(value, type) or inspect.isfunction(value) or inspect.isbuiltin(value):
            return self.name(value)
        return self._object(value)

    def _module(self, module: Any) -> str:
        if _private.is_compiled_wrapper(module):
            self.imports.add("import torch")
            return f"torch.compile({self._module(_private.original_of(module))})"
        if id(module) not in self.made:
            raise Refused(f"how the {type(module).__name__} was made is not known; was it loaded from a file?")
        _, arguments, named = self.made[id(module)]
        if type(module).__name__ in ("Sequential", "ModuleList"):  # as it is now
            parts = ", ".join(self._module(one) for one in module.children())
            return f"{self.name(type(module))}({f'[{parts}]' if type(module).__name__ == 'ModuleList' else parts})"
        texts = [self._expression(one) for one in arguments]
        texts += [f"{key}={self._expression(one)}" for key, one in named.items()]
        return f"{self.name(type(module))}({', '.join(texts)})"

    def _object(self, value: Any) -> str:
        """Settings, as models are made with: a dataclass, a Namespace, a configuration of transformers."""
        kind = type(value)
        if dataclasses.is_dataclass(value):
            fields = [one.name for one in dataclasses.fields(value) if one.init]
            return f"{self.name(kind)}({', '.join(f'{one}={self._expression(getattr(value, one))}' for one in fields)})"
        if kind.__name__ in ("Namespace", "SimpleNamespace"):
            return f"{self.name(kind)}({', '.join(f'{one}={self._expression(v)}' for one, v in vars(value).items())})"
        if hasattr(kind, "from_dict") and hasattr(value, "to_diff_dict"):
            return f"{self.name(kind)}.from_dict({self._expression(value.to_diff_dict())})"
        raise Refused(
            f"the model is made with an object of class {kind.__name__}, which cannot be written down; make it with "
            "numbers and texts, a dataclass or a dict"
        )

    def name(self, thing: Any) -> str:
        """The name of a class or function in the entry point, which imports it."""
        module, qualified = thing.__module__, thing.__qualname__
        if "<" in qualified:
            raise Refused(
                f"{qualified.rpartition('.')[2]} is defined inside a function, so that no other file can use it"
            )
        if module == "__main__":
            module = self.script.stem
            self.uses_script = True
        if module.startswith("torch.nn.modules.") or module == "torch.nn":
            self.imports.add("from torch import nn")
            return f"nn.{qualified}"
        if module.startswith("torch.optim"):
            self.imports.add("import torch")
            return f"torch.optim.{qualified}"
        if module == "builtins":
            return str(qualified)
        top = qualified.partition(".")[0]
        self.imports.add(f"from {module} import {top}")
        return str(qualified)

    # Inputs.

    def sample(self, value: Any, batch: int | None) -> str:
        """Something of the same shape, type and range."""
        if _contract.is_tensor(value):
            return self._sample_tensor(value, batch)
        if isinstance(value, Mapping):
            return "{" + ", ".join(f"{key!r}: {self.sample(one, batch)}" for key, one in value.items()) + "}"
        if isinstance(value, (list, tuple)):
            inner = ", ".join(self.sample(one, batch) for one in value)
            return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
        return self.expression(value)

    def _sample_tensor(self, value: Any, batch: int | None) -> str:
        import torch

        self.imports.add("import torch")
        shape = f"({shape_text(value, batch)},)" if value.dim() else "()"
        device = "" if value.device.type == "cpu" else f', device="{value.device}"'
        if value.dtype == torch.bool:
            return f"torch.ones({shape}, dtype=torch.bool{device})"
        if not value.dtype.is_floating_point and not value.dtype.is_complex:
            low, high = (int(value.min()), int(value.max()) + 1) if value.numel() else (0, 1)
            return f"torch.randint({min(low, 0)}, {high}, {shape}, dtype={value.dtype}{device})"
        dtype = "" if value.dtype == torch.get_default_dtype() else f", dtype={value.dtype}"
        if value.numel() and 0 <= float(value.min()) and float(value.max()) <= 1:
            return f"torch.rand({shape}{dtype}{device})"
        return f"torch.randn({shape}{dtype}{device})"

    # The optimizer.

    def optimizer(self, optimizer: Any) -> str:
        kind = type(optimizer)
        if kind.__name__ == "AcceleratedOptimizer":
            optimizer, kind = optimizer.optimizer, type(optimizer.optimizer)
        defaults = {
            key: one.default for key, one in inspect.signature(kind).parameters.items() if one.default is not one.empty
        }
        said = []
        group = optimizer.param_groups[0]
        for key, default in defaults.items():
            value = group.get(key, optimizer.defaults.get(key, default))
            value = group.get("initial_lr", value) if key == "lr" else value
            if value != default and (isinstance(value, PLAIN) or isinstance(value, (tuple, list))):
                said.append(f"{key}={self.expression(tuple(value) if isinstance(value, list) else value)}")
        return f"{self.name(kind)}({', '.join(['model.parameters()', *said])})"


def shape_text(value: Any, batch: int | None, *, free_first: bool = False) -> str:
    """ "batch_size, 3, 32, 32"; the first dimension may be several of each sample."""
    sizes = [str(size) for size in value.shape]
    if not sizes:
        return ""
    if free_first:
        sizes[0] = "-1"
    elif batch and value.shape[0] % batch == 0:
        times = value.shape[0] // batch
        sizes[0] = "batch_size" if times == 1 else f"{times} * batch_size"
    return ", ".join(sizes)


def tensors_with_paths(output: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if _contract.is_tensor(output):
        yield path, output
    elif isinstance(output, Mapping):
        is_plain = type(output) is dict
        for key, one in output.items():
            yield from tensors_with_paths(one, f"{path}[{key!r}]" if is_plain else f"{path}.{key}")
    elif isinstance(output, (list, tuple)):
        for place, one in enumerate(output):
            yield from tensors_with_paths(one, f"{path}[{place}]")


def default_of(loss: str, key: str) -> Any:
    import torch.nn.functional as functional

    parameter = inspect.signature(getattr(functional, loss)).parameters.get(key)
    return parameter.default if parameter is not None else None
