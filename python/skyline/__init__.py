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
    from torch.profiler import (
        DeviceType,
        ExecutionTraceObserver,
        ProfilerActivity,
        kineto_available,
        record_function,
        supported_activities,
    )

__all__ = [
    "DeviceType",
    "Error",
    "ExecutionTraceObserver",
    "ProfilerAction",
    "ProfilerActivity",
    "__version__",
    "kineto_available",
    "profile",
    "record_function",
    "schedule",
    "supported_activities",
    "tensorboard_trace_handler",
    "trace_handler",
]


TORCHS_OWN = """DeviceType ExecutionTraceObserver ProfilerActivity kineto_available record_function
    supported_activities""".split()


def __getattr__(name: str) -> Any:
    """torch's own names, fetched when asked for: `skyline doctor` must start without torch."""
    if name in TORCHS_OWN:
        import torch.profiler

        return getattr(torch.profiler, name)
    raise AttributeError(f"module 'skyline' has no attribute '{name}'")
