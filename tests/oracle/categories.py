"""The category words of every torch era and vendor, and the one word the model has for each.

Compared without regard to case: torch 1.8-1.11 wrote `Kernel`, spring 2022 wrote `gpu_user_Annotation`.
"""

MODEL_CATEGORY = {
    "cpu_op": "cpu_op",
    "operator": "cpu_op",
    "hpu_op": "cpu_op",
    "user_annotation": "user_annotation",
    "user": "user_annotation",
    "python_function": "python_function",
    "python": "python_function",
    "cuda_runtime": "runtime",
    "runtime": "runtime",
    "mtia_runtime": "runtime",
    "xpu_runtime": "runtime",
    "privateuse1_runtime": "runtime",
    "glow_runtime": "runtime",
    "cuda_driver": "driver",
    "xpu_driver": "driver",
    "privateuse1_driver": "driver",
    "kernel": "kernel",
    "gpu_memcpy": "memcpy",
    "memcpy": "memcpy",
    "gpu_memset": "memset",
    "memset": "memset",
    "mtia_ccp_events": "device_other",
    "gpu_user_annotation": "gpu_user_annotation",
    "cuda_sync": "sync",
    "xpu_sync": "sync",
    "cuda_event": "cuda_event",
    "overhead": "overhead",
    "trace": "trace_span",
    "cuda_profiler_range": "profiler_range",
}

# Work done by a device: what every device figure is about.
DEVICE_ACTIVITIES = frozenset({"kernel", "memcpy", "memset", "device_other"})

# Host calls that can launch device work.
LAUNCHES = frozenset({"runtime", "driver"})

# Written on device tracks without being device work.
DEVICE_SIDE = DEVICE_ACTIVITIES | {"gpu_user_annotation", "sync", "cuda_event", "profiler_range"}


def model_category(cat: str) -> str:
    return MODEL_CATEGORY.get(cat.lower(), "other")
