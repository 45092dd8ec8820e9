"""What kind of work a device activity is, by HTA's rule and by ours. The lists are the definition."""

from __future__ import annotations

from oracle.slow_reader import Slice

# Ours: parts of kernel names, lower case, that mean the kernel talks to another device.
COMMUNICATION_NAME_PARTS = (
    "nccl",
    "rccl",
    "hccl",
    "nvshmem",
    "deep_ep",
    "::ep::internode",
    "::ep::intranode",
    "mscclpp",
    "symm_mem",
    "one_shot_all_reduce",
    "two_shot_all_reduce",
    "multimem_all_reduce",
    "cross_device_reduce",
    "all_reduce_one_shot",
    "all_reduce_two_shot",
)


def device_class(activity: Slice) -> str:
    """copy, set, communication or compute."""
    if activity.category == "memcpy":
        return "copy"
    if activity.category == "device_other" and activity.name.startswith("dma"):
        return "copy"
    if activity.category == "memset":
        return "set"
    name = activity.name.lower()
    if "Collective name" in activity.args or any(part in name for part in COMMUNICATION_NAME_PARTS):
        return "communication"
    return "compute"


def hta_class(name: str) -> str:
    """HTA 0.6's order: communication, memory, computation, other. Names only, case counts.

    Its patterns are matched at the start of the name: communication `(^nccl.*)|(^hip)|(^hccl)|(.*ncclKernel.*)`,
    memory `(^(hip)?Memcpy)|(^(hip)?Memset)|(^dma)`, and computation is what does *not* match
    `(^nccl)|(.*Memcpy)|(.*Memset)|(.*dma)|(^.*Sync)|(^Stream Wait Event)|(cuda.*LaunchKernel)|(^runFunction)|(^hip)`.
    """
    if name.startswith(("nccl", "hip", "hccl")) or "ncclKernel" in name:
        return "communication"
    if name.startswith(("Memcpy", "Memset", "dma")):
        return "memory"
    if any(part in name for part in ("Memcpy", "Memset", "dma", "Sync")):
        return "other"
    if name.startswith(("Stream Wait Event", "runFunction")):
        return "other"
    if name.startswith("cuda") and "LaunchKernel" in name:
        return "other"
    return "computation"


def tracelens_class(activity: Slice) -> str:
    """memcpy, comm or compute; a set is compute, as in TraceLens."""
    if activity.category == "memcpy":
        return "memcpy"
    return "comm" if "nccl" in activity.name.lower() else "compute"
