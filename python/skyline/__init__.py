"""Skyline records where a PyTorch training step's time and memory go.

The names are torch.profiler's, so changing the import is all that a profiled script needs:

    from skyline import profile, schedule, trace_handler
"""

from typing import TYPE_CHECKING, Any

from ._error import Error
from ._profile import profile, tensorboard_trace_handler, trace_handler
from ._schedule import ProfilerAction, schedule
from ._version import __version__

if TYPE_CHECKING:
    from torch.profiler import ProfilerActivity, record_function

__all__ = [
    "Error",
    "ProfilerAction",
    "ProfilerActivity",
    "__version__",
    "profile",
    "record_function",
    "schedule",
    "tensorboard_trace_handler",
    "trace_handler",
]


def __getattr__(name: str) -> Any:
    """torch's own names, fetched when asked for: `skyline doctor` must start without torch."""
    if name in ("ProfilerActivity", "record_function"):
        import torch.profiler

        return getattr(torch.profiler, name)
    raise AttributeError(f"module 'skyline' has no attribute '{name}'")
