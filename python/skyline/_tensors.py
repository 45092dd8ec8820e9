"""Tells a recording which storages are weights, buffers, gradients, optimizer state and inputs.

The engine knows blocks of memory by their addresses only; here they get the program's names while they live. User
tensors come in all kinds (lazy, fake, sparse, subclasses with a will of their own): one that does not say where its
bytes are is left out, and nothing in here makes a training fail.
"""

import dataclasses
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import torch

from . import _private
from ._modules import without_wrappers
from ._optimizer_steps import listen

WEIGHT, BUFFER, GRADIENT, STATE, INPUT = range(5)  # `tensors.role` in docs/tracefile.md

Row = tuple[int, str, str, str, int, int]  # role, name, module, dims, address and bytes of the storage
Note = Callable[[list[Row]], None]
Names = dict[int, str]  # of the parameters, by id

# What is nested deeper, or comes behind so many, is not looked for.
MAX_DEPTH, MAX_TENSORS = 8, 100_000


def describe(model: Any, optimizers: Iterable[Any] = (), inputs: Any = None) -> list[Row]:
    """All that lives now. Tied weights have a row for every name."""
    optimizers = list(optimizers)
    rows = Rows()
    rows.add_model(model)
    names = names_of_parameters(model, optimizers)
    for optimizer in optimizers:
        rows.add_strangers(optimizer, names)
        rows.add_gradients(parameters_of(optimizer), names)
        rows.add_state(optimizer, names)
    rows.add_gradients((parameter for _, parameter in named(model, "named_parameters")), names)
    rows.add_nested(INPUT, "inputs", "", inputs)
    return rows.rows


class Rows:
    """Rows for the collector, each once."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.known: set[Row] = set()

    def add(self, role: int, name: str, module: str, tensor: Any) -> None:
        for part, dims, address, size in storages(tensor):
            row = (role, name + part, module, dims, address, size)
            if row not in self.known and len(self.rows) < MAX_TENSORS:
                self.known.add(row)
                self.rows.append(row)

    def add_model(self, model: Any) -> None:
        for role, kind in ((WEIGHT, "named_parameters"), (BUFFER, "named_buffers")):
            for name, tensor in named(model, kind):
                self.add(role, name, owner(name), tensor)

    def add_strangers(self, optimizer: Any, names: Names) -> None:
        """What is trained but not held by the model."""
        for parameter in parameters_of(optimizer):
            if (name := names.get(id(parameter), "")).startswith(STRANGER):
                self.add(WEIGHT, name, "", parameter)

    def add_gradients(self, parameters: Iterable[Any], names: Names) -> None:
        for parameter in parameters:
            gradient = gradient_of(parameter)
            if gradient is not None:
                name = names.get(id(parameter), STRANGER)
                self.add(GRADIENT, f"{name}.grad", owner(name), gradient)

    def add_state(self, optimizer: Any, names: Names) -> None:
        state = getattr(optimizer, "state", None)
        for key, values in list(state.items()) if isinstance(state, Mapping) else ():
            name = names.get(id(key), key if isinstance(key, str) else STRANGER)
            self.add_nested(STATE, name, owner(name), values, join=".{}".format)
        for number, group in enumerate(getattr(optimizer, "param_groups", ())):
            options = {key: value for key, value in group.items() if key != "params"}
            self.add_nested(STATE, f"param_groups[{number}]", "", options)

    def add_nested(
        self, role: int, name: str, module: str, thing: Any, join: Callable[[str], str] = '["{}"]'.format
    ) -> None:
        """Tensors in tuples, lists, dicts, and objects that hold them; `join` names what is in the outermost dict."""
        seen: set[int] = set()
        pending = [(name, thing, MAX_DEPTH)]
        while pending:
            name, thing, depth = pending.pop()
            if isinstance(thing, torch.Tensor):
                self.add(role, name, module, thing)
                if role == INPUT and (gradient := gradient_of(thing)) is not None:
                    self.add(GRADIENT, f"{name}.grad", module, gradient)
            elif depth > 0 and id(thing) not in seen:
                seen.add(id(thing))
                usual = join if depth == MAX_DEPTH else '["{}"]'.format
                parts = [(name + part, value, depth - 1) for part, value in parts_of(thing, usual)]
                pending += reversed(parts)


STRANGER = "optimizer.params"


def owner(name: str) -> str:
    """The module that holds a parameter or buffer directly."""
    return "" if name.startswith(STRANGER) else name.rpartition(".")[0]


def names_of_parameters(model: Any, optimizers: Iterable[Any]) -> Names:
    """The first name of each; a parameter that the model does not hold is named by its place in its optimizer."""
    names: Names = {}
    for name, parameter in named(model, "named_parameters"):
        names.setdefault(id(parameter), name)
    for optimizer in optimizers:
        for number, parameter in enumerate(parameters_of(optimizer)):
            names.setdefault(id(parameter), f"{STRANGER}[{number}]")
    return names


def named(model: Any, kind: str) -> list[tuple[str, Any]]:
    """named_parameters() or named_buffers(), every name of a shared one."""
    method = getattr(model, kind, None)
    try:
        return [(without_wrappers(name), tensor) for name, tensor in method(remove_duplicate=False)] if method else []
    except Exception:  # a model that answers in its own way
        return []


def parameters_of(optimizer: Any) -> list[Any]:
    return [parameter for group in getattr(optimizer, "param_groups", ()) for parameter in group.get("params", ())]


def gradient_of(parameter: Any) -> Any:
    try:
        return parameter.grad if parameter.is_leaf else None  # of others torch warns
    except Exception:
        return None


def parts_of(thing: Any, join: Callable[[str], str]) -> list[tuple[str, Any]]:
    """(how to write it behind the name of the whole, part)."""
    try:
        if isinstance(thing, Mapping):
            return [(join(str(key)), value) for key, value in thing.items()]
        if isinstance(thing, tuple) and hasattr(thing, "_fields"):
            return [(f".{field}", value) for field, value in zip(thing._fields, thing, strict=False)]
        if isinstance(thing, (list, tuple)):
            return [(f"[{number}]", value) for number, value in enumerate(thing)]
        if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
            return [(f".{field.name}", getattr(thing, field.name, None)) for field in dataclasses.fields(thing)]
        if is_plain_object(thing):
            return [(f".{key}", value) for key, value in vars(thing).items()]
    except Exception:  # a container that answers in its own way
        pass
    return []


def is_plain_object(thing: Any) -> bool:
    """A batch class of the user's; not a function, a class, a model or something else that leads far away."""
    foreign = (type, torch.nn.Module, torch.optim.Optimizer, torch.Generator)
    return hasattr(thing, "__dict__") and not callable(thing) and not isinstance(thing, foreign)


def storages(tensor: Any) -> list[tuple[str, str, int, int]]:
    """(part of the name, dims, address, bytes) of each storage behind a tensor."""
    try:
        # Nearly all are of these classes, which have no will of their own.
        if type(tensor) in (torch.Tensor, torch.nn.Parameter) and tensor.layout is torch.strided:
            return plain_storage(tensor, "")
        with _private.without_subclasses():
            return list(odd_storages(tensor, "", MAX_DEPTH))
    except Exception:
        return []


def plain_storage(tensor: Any, part: str) -> list[tuple[str, str, int, int]]:
    storage = tensor.untyped_storage()
    size = 0 if tensor.is_meta else storage.nbytes()
    address = storage.data_ptr() if size > 0 else 0
    return [(part, f"[{','.join(map(str, tensor.shape))}]", address, size)] if address != 0 else []


def odd_storages(tensor: Any, part: str, depth: int) -> Iterator[tuple[str, str, int, int]]:
    if depth == 0 or tensor.device.type == "meta":
        return
    flatten = getattr(type(tensor), "__tensor_flatten__", None)
    if flatten is not None:  # a wrapper: the bytes are in the tensors that it holds
        for name in flatten(tensor)[0]:
            yield from odd_storages(getattr(tensor, name), f"{part}.{name.strip('_')}", depth - 1)
    elif tensor.layout != torch.strided:
        for name in _private.PARTS_OF_SPARSE:
            try:
                inner = getattr(tensor, name)()
            except (AttributeError, RuntimeError):  # not a part of this layout
                continue
            yield from odd_storages(inner, f"{part}.{name.strip('_')}", depth - 1)
    elif tensor.untyped_storage().device.type != "meta":  # as those of fake tensors are
        yield from plain_storage(tensor, part)


class Watch:
    """Notes tensors while training runs. Gradients may be gone when an iteration has ended, so they are noted before
    each optimizer step; state, which stays, after an optimizer's first one and whenever note_now() is called. `note`
    takes rows, as the collector's note_tensors does.

    Modules and tensors stay untouched, so torch.compile sees an unchanged program."""

    def __init__(self, note: Note, model: Any, inputs: Any = None) -> None:
        self.note = note
        self.model = model
        self.inputs = inputs
        self.names: Names = {}
        self.seen: dict[int, weakref.ref[Any]] = {}  # optimizers, by id
        self.stateless: set[int] = set()  # of these, those whose state is not noted yet
        self.undo: list[Callable[[], None]] = []

    def start(self) -> None:
        self.undo.append(listen(before_each=self._before_step, after_each=self._after_step))

    def stop(self) -> None:
        while self.undo:
            self.undo.pop()()

    def optimizers(self) -> list[Any]:
        """Those that have stepped and still live, in the order of their first step."""
        return [optimizer for reference in self.seen.values() if (optimizer := reference()) is not None]

    def note_now(self) -> None:
        """All that lives at this moment."""
        self.note(describe(self.model, self.optimizers(), self.inputs))

    def _before_step(self, optimizer: Any) -> None:
        self._note(optimizer, lambda rows: rows.add_gradients(parameters_of(optimizer), self.names))

    def _after_step(self, optimizer: Any) -> None:
        if id(optimizer) in self.stateless:
            self.stateless.remove(id(optimizer))
            self._note(optimizer, lambda rows: rows.add_state(optimizer, self.names))

    def _note(self, optimizer: Any, add: Callable[[Rows], None]) -> None:
        self._remember(optimizer)
        rows = Rows()
        add(rows)
        self.note(rows.rows)

    def _remember(self, optimizer: Any) -> None:
        known = self.seen.get(id(optimizer))
        if known is None or known() is not optimizer:
            self.seen[id(optimizer)] = weakref.ref(optimizer)
            self.stateless.add(id(optimizer))
        if any(id(parameter) not in self.names for parameter in parameters_of(optimizer)):
            self.names = names_of_parameters(self.model, self.optimizers())
