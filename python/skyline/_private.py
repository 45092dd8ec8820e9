"""Names that are torch's or CPython's own business and may go any day: all that the package uses, and what it does
without them. Elsewhere they are not spoken (tests/tools/private_names_test.py looks), and tests/training's
private_names_test.py takes away each of NAMES and records."""

import contextlib
import dis
import runpy
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

# Dotted, as they can be taken away from a process that has imported torch.
NAMES = (
    "dis.Bytecode.exception_entries",
    "runpy._run_module_as_main",
    "sys._current_frames",
    "sys._getframe",
    "tempfile.TemporaryDirectory._finalizer",
    "torch._C.DisableTorchFunctionSubclass",
    "torch._C._get_privateuse1_backend_name",
    "torch._dynamo",
    "torch._dynamo.callback",
    "torch._dynamo.callback.CompilationCallbackHandler.register_end_callback",
    "torch._dynamo.callback.callback_handler",
    "torch._dynamo.eval_frame.OptimizedModule",
    "torch.compiled_with_cxx11_abi",
    "torch.cuda.memory._record_memory_history",
    "torch.cuda.memory._snapshot",
    "torch.nn.Module._compiled_call_impl",
    "torch.optim.optimizer.register_optimizer_step_post_hook",
    "torch.optim.optimizer.register_optimizer_step_pre_hook",
    "torch.utils._python_dispatch",
    "torch.utils._python_dispatch.TorchDispatchMode",
    "torch.utils.data.dataloader._BaseDataLoaderIter",
    "torch.utils.data.dataloader._MultiProcessingDataLoaderIter",
    "torch.utils.data.dataloader._utils",
    "torch.version.cuda",
    "torch.version.git_version",
)


# Python's


def frame_of_caller(depth: int) -> FrameType | None:
    """0: whoever calls this. Without it, nobody knows where a `with` stands."""
    getframe = getattr(sys, "_getframe", None)
    return getframe(depth + 1) if getframe is not None else None


def frames_of_threads() -> list[FrameType]:
    """The innermost of each thread. Raises where Python does not tell: whether a `with` was left is not known."""
    return list(sys._current_frames().values())


def exception_entries(code: CodeType) -> list[tuple[int, int, int]]:
    """(start, end, target) of each part with a handler. Raises where Python does not tell, as above."""
    entries: Any = getattr(dis.Bytecode(code), "exception_entries")  # noqa: B009 (typeshed does not know it)
    return sorted((entry.start, entry.end, entry.target) for entry in entries)


def leave_folder(folder: Any) -> None:
    """A tempfile.TemporaryDirectory that stays when it is forgotten; where that is not known it goes, as it would."""
    finalizer = getattr(folder, "_finalizer", None)
    if finalizer is not None:
        finalizer.detach()


def run_as_main(module: str) -> None:
    """What `python -m` calls; without it, its public cousin, which leaves a frame more in tracebacks."""
    as_main = getattr(runpy, "_run_module_as_main", None)
    if as_main is not None:
        as_main(module)
    else:
        runpy.run_module(module, run_name="__main__", alter_sys=True)


# torch's


def cxx11_abi() -> bool:
    """Of torch's std::string; all builds since 2.7 have the new one."""
    import torch

    return bool(getattr(torch, "compiled_with_cxx11_abi", lambda: True)())


def cuda_version() -> str:
    """Empty: built without, or not known."""
    import torch

    return getattr(getattr(torch, "version", None), "cuda", None) or ""


def git_version() -> str:
    """Of torch's sources; empty: not known."""
    import torch

    return getattr(getattr(torch, "version", None), "git_version", None) or ""


def watch_compilation(began: Callable[..., None], ended: Callable[..., None]) -> bool:
    """Calls them around each compilation. False: torch does not tell; its first iterations are slow, and that is all
    that shows."""
    try:
        from torch._dynamo.callback import callback_handler as handler

        handler.register_start_callback(began)
        handler.register_end_callback(ended)
    except Exception:
        return False
    return True


# What the first optimizer step would import; where there is no such module, that is not done before.
COMPILER = "torch._dynamo"
# Under this name a compiled module holds the one that it was made from.
ORIGINAL = "_orig_mod"


def dispatch_mode() -> Any:
    """The class whose subclasses see every operator. Raises where there is none."""
    from torch.utils._python_dispatch import TorchDispatchMode

    return TorchDispatchMode


def data_loader_iterator() -> Any:
    """The class of DataLoaders' iterators, which has no public name; None where it is called otherwise."""
    from torch.utils.data import dataloader

    return getattr(dataloader, "_BaseDataLoaderIter", None)


def loader_workers() -> tuple[Any, Any, Any]:
    """The class of iterators with workers, the module that has the workers' loop, and that of fetchers; None for what
    has another name."""
    from torch.utils.data import dataloader

    utils = getattr(dataloader, "_utils", None)
    worker = getattr(utils, "worker", None)
    return (
        getattr(dataloader, "_MultiProcessingDataLoaderIter", None),
        worker if hasattr(worker, WORKER_LOOP) else None,
        getattr(utils, "fetch", None),
    )


# The function of that module which a worker runs.
WORKER_LOOP = "_worker_loop"


def data_of(iterator: Any) -> Any:
    """What an iterator of a DataLoader goes through; None where it is kept elsewhere."""
    return getattr(iterator, "_dataset", None)


def batch_size_of(iterator: Any) -> int | None:
    """That of the DataLoader whose iterator it is; None where it has none, or it is kept elsewhere."""
    size = getattr(getattr(iterator, "_index_sampler", None), "batch_size", None)
    return size if type(size) is int else None


def workers_of(iterator: Any) -> tuple[int, int]:
    """Of a DataLoader: how many workers it has, and how many batches each has ready before they are asked for."""
    workers, ahead = getattr(iterator, "_num_workers", 0), getattr(iterator, "_prefetch_factor", None)
    return (workers, ahead or 2) if type(workers) is int else (0, 0)


def optimizer_step_hooks() -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """What registers a hook before, and one after, each step of any optimizer. Raises where there is none."""
    from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

    return register_optimizer_step_pre_hook, register_optimizer_step_post_hook


def without_subclasses() -> contextlib.AbstractContextManager[Any]:
    """Inside, tensors of classes of their own answer as plain ones; where torch cannot do that, as they like."""
    import torch

    switch: type[contextlib.AbstractContextManager[Any]] = getattr(
        getattr(torch, "_C", None), "DisableTorchFunctionSubclass", contextlib.nullcontext
    )
    return switch()


# Methods that give the tensors that a sparse one consists of; those that it does not have are passed over.
PARTS_OF_SPARSE = ("_indices", "_values", "crow_indices", "ccol_indices", "col_indices", "row_indices", "values")


def compiled_wrapper() -> Any:
    """The class of the modules that torch.compile makes around others; None where it is called otherwise, or not known
    yet."""
    return getattr(sys.modules.get("torch._dynamo.eval_frame"), "OptimizedModule", None)


def is_compiled_wrapper(module: Any) -> bool:
    """Whether torch.compile has made this module around another one; never where the class is called otherwise."""
    found = compiled_wrapper()
    return found is not None and issubclass(type(module), found)


def original_of(module: Any) -> Any:
    """What a compiled module was made from; None for all others."""
    return vars(module).get("_modules", {}).get(ORIGINAL)


def has_compiled_call(module: Any) -> bool:
    """Whether Module.compile() was called; False where that is kept elsewhere."""
    return getattr(module, "_compiled_call_impl", None) is not None


def own_backend() -> Any:
    """The module of a backend that is registered as PrivateUse1; None where there is none, or torch does not tell."""
    import torch

    name = getattr(getattr(torch, "_C", None), "_get_privateuse1_backend_name", lambda: "")()
    return getattr(torch, name, None) if name else None


class DeviceHistory:
    """torch.cuda's own list of allocations. Raises where torch has none."""

    def __init__(self) -> None:
        import torch

        self.record = torch.cuda.memory._record_memory_history
        self.snapshot = torch.cuda.memory._snapshot
        # Not known: then a program that keeps a list itself would lose it, so there is none for us.
        self.is_used: Callable[[], bool] = getattr(torch._C, "_cuda_isHistoryEnabled", lambda: True)

    def start(self, most: int) -> None:
        self.record(enabled="all", context=None, stacks="python", max_entries=most)

    def stop(self) -> list[tuple[int, dict[str, Any]]]:
        """(device, entry) in the order of each device's allocator."""
        traces = self.snapshot()["device_traces"]
        self.record(enabled=None)
        return [(device, entry) for device, entries in enumerate(traces) for entry in entries]
