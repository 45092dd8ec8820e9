"""What a run is set to, as far as it matters to its speed: torch's switches, DDP's flags, and those variables of the
environment that are listed here. No other variable is looked at: they are the user's."""

import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

VARIABLES = """
CUBLAS_WORKSPACE_CONFIG CUDA_DEVICE_MAX_CONNECTIONS CUDA_LAUNCH_BLOCKING CUDA_VISIBLE_DEVICES GOMP_CPU_AFFINITY
KMP_AFFINITY KMP_BLOCKTIME MALLOC_ARENA_MAX MKL_NUM_THREADS NCCL_ALGO NCCL_DEBUG NCCL_IB_DISABLE NCCL_P2P_DISABLE
NCCL_PROTO NCCL_SHM_DISABLE NCCL_SOCKET_IFNAME NUMEXPR_NUM_THREADS NVIDIA_TF32_OVERRIDE OMP_NUM_THREADS OMP_PLACES
OMP_PROC_BIND OMP_WAIT_POLICY OPENBLAS_NUM_THREADS PYTHONASYNCIODEBUG PYTHONDEVMODE PYTHONFAULTHANDLER PYTHONGIL
PYTHONMALLOC PYTHONTRACEMALLOC PYTHONUNBUFFERED PYTORCH_ALLOC_CONF PYTORCH_CUDA_ALLOC_CONF TOKENIZERS_PARALLELISM
TORCHDYNAMO_DISABLE TORCHINDUCTOR_FREEZING TORCH_CUDNN_V8_API_DISABLED TORCH_DISTRIBUTED_DEBUG
TORCH_NCCL_ASYNC_ERROR_HANDLING TORCH_NCCL_BLOCKING_WAIT TORCH_SHOW_CPP_STACKTRACES
""".split()

DDP_FLAGS = """
find_unused_parameters gradient_as_bucket_view static_graph broadcast_buffers bucket_bytes_cap
""".split()


def of_run(collector: ModuleType) -> dict[str, str]:
    """Texts by dotted name. What this torch does not have, or will not tell, is left out."""
    found = {f"environment.{name}": os.environ[name] for name in VARIABLES if name in os.environ}
    for key, ask in torch_switches().items():
        try:
            found[key] = str(ask())
        except Exception:
            continue
    found |= of_ddp(collector)
    return {key: text.encode(errors="replace").decode() for key, text in found.items()}


def torch_switches() -> dict[str, Callable[[], Any]]:
    import torch

    backends: Any = torch.backends
    return {
        "torch.threads": torch.get_num_threads,
        "torch.interop_threads": torch.get_num_interop_threads,
        "torch.default_dtype": torch.get_default_dtype,
        "torch.float32_matmul_precision": torch.get_float32_matmul_precision,
        "torch.cuda_matmul_tf32": lambda: backends.cuda.matmul.allow_tf32,
        "torch.cudnn_tf32": lambda: backends.cudnn.allow_tf32,
        "torch.cudnn_benchmark": lambda: backends.cudnn.benchmark,
        "torch.cudnn_deterministic": lambda: backends.cudnn.deterministic,
        "torch.deterministic_algorithms": torch.are_deterministic_algorithms_enabled,
        "torch.anomaly_detection": torch.is_anomaly_enabled,
        "torch.autocast_cpu": lambda: torch.is_autocast_enabled("cpu"),
        "torch.autocast_cuda": lambda: torch.is_autocast_enabled("cuda"),
        "torch.mkldnn": lambda: backends.mkldnn.is_available() and backends.mkldnn.enabled,
        "python.dev_mode": lambda: sys.flags.dev_mode,
        "python.tracing": lambda: sys.gettrace() is not None,
        "python.profiling": lambda: sys.getprofile() is not None,
        "python.gc_enabled": gc_enabled,
        "python.gc_thresholds": gc_thresholds,
        "machine.processors": lambda: len(os.sched_getaffinity(0)),
        "machine.bfloat16": bfloat16_units,
    }


def bfloat16_units() -> str:
    """What the processor multiplies bfloat16 with: units for matrices, for vectors, or none of its own."""
    with open("/proc/cpuinfo") as file:
        words = set(file.read(1 << 16).split())
    if "amx_bf16" in words:
        return "matrix"
    return "vector" if words & {"avx512_bf16", "avx10_2", "bf16"} else "none"


def gc_enabled() -> bool:
    import gc

    return gc.isenabled()


def gc_thresholds() -> str:
    import gc

    return " ".join(map(str, gc.get_threshold()))


def of_ddp(collector: ModuleType) -> dict[str, str]:
    parallel = sys.modules.get("torch.nn.parallel.distributed")
    kind = getattr(parallel, "DistributedDataParallel", None)
    models = collector.instances_of(kind) if isinstance(kind, type) else []
    return {
        f"ddp.{number}.{flag}": str(getattr(model, flag))
        for number, model in enumerate(models[:4])
        for flag in DDP_FLAGS
        if isinstance(getattr(model, flag, None), bool | int)
    }
