"""How many samples a loop without a DataLoader trains on: the leading dimension of what its model is called with.

The model is the first module that is called after an optimizer's step, in training mode and with gradients. torch calls
us through its global hook on modules; only while marks are left, and never where torch.compile has been at work, which
would compile anew because of the hook.
"""

import sys
from collections.abc import Callable
from typing import Any

from ._trouble import harmless


def has_compiled() -> bool:
    """Whether torch.compile has compiled something; True where this torch does not tell."""
    dynamo = sys.modules.get("torch._dynamo.utils")
    counters = getattr(dynamo, "counters", None)
    if dynamo is None:
        return False
    return counters is None or counters["frames"]["total"] > 0


class ModelCalls:
    """Calls `count` with the positional arguments of each call of the model."""

    def __init__(self, count: Callable[[Any], None]) -> None:
        self.count = count
        self.model: Any = None  # of this step
        self.end: Callable[[], None] | None = None

    def start(self) -> None:
        if self.end is None and not has_compiled():
            from torch.nn.modules.module import register_module_forward_pre_hook

            self.end = register_module_forward_pre_hook(self._called).remove

    def stop(self) -> None:
        end, self.end, self.model = self.end, None, None
        if end is not None:
            end()

    def stepped(self) -> None:
        """After an optimizer's step."""
        self.model = None

    def _called(self, module: Any, arguments: Any) -> None:
        if self.model is None or self.model is module:
            harmless("samples are not counted", self._look_at, module, arguments)

    def _look_at(self, module: Any, arguments: Any) -> None:
        import torch

        if module.training and torch.is_grad_enabled():
            self.model = module
            self.count(arguments)
