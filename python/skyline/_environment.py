"""Where a recording was made: versions, machine, devices. Every trace file carries it, `skyline doctor` prints it."""

import os
import platform
import sys
from pathlib import Path

from . import _binary, _build, _direct, _private
from ._error import Error
from ._printable import printable
from ._trouble import valid_text
from ._version import __version__

CPU_FEATURES = ("sse4_2", "avx2", "avx512f", "avx512_bf16", "amx_tile", "amx_bf16", "asimd", "sve", "constant_tsc")


def first_line(path: str) -> str:
    try:
        return Path(path).read_text().splitlines()[0].strip()
    except (OSError, IndexError):
        return ""


def processor() -> tuple[str, list[str]]:
    """Its name and those of its features that matter to us."""
    facts: dict[str, str] = {}
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            name, _, value = line.partition(":")
            facts.setdefault(name.strip(), value.strip())
    except OSError:
        pass
    has = set((facts.get("flags") or facts.get("Features") or "").split())
    return facts.get("model name", platform.machine()), [name for name in CPU_FEATURES if name in has]


def ranks() -> dict[str, str]:
    """What launchers of distributed training say."""
    names = {
        "RANK": "distributed.rank",
        "LOCAL_RANK": "distributed.local_rank",
        "WORLD_SIZE": "distributed.world_size",
    }
    return {key: os.environ[name] for name, key in names.items() if os.environ.get(name)}


def machine() -> dict[str, str]:
    name, features = processor()
    return {
        "skyline.version": __version__,
        "host.name": platform.node(),
        "host.os": platform.platform(),
        "host.cpu": name,
        "host.cpu_features": " ".join(features),
        "host.cpus": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()),
        "host.clocksource": first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        "python.version": platform.python_version(),
        "process.id": str(os.getpid()),
        "process.program": sys.argv[0] if sys.argv else "",
    }


def torch_facts() -> dict[str, str]:
    import torch

    facts = {"torch.version": torch.__version__, "torch.threads": str(torch.get_num_threads())}
    if cuda := _private.cuda_version():
        facts["torch.cuda"] = cuda
    if torch.cuda.is_available():
        for index in range(torch.cuda.device_count()):
            facts[f"device.cuda.{index}"] = torch.cuda.get_device_name(index)
    return facts


def describe() -> dict[str, str]:
    """The facts that a trace file carries."""
    facts = machine() | torch_facts() | ranks()
    return {key: valid_text(value) for key, value in facts.items()}


def doctor() -> int:
    """Prints the environment and what would stop us from recording; 0 if nothing would."""
    facts = machine() | ranks()
    troubles = []
    try:
        facts |= torch_facts()
        facts["collector"] = str(_build.built_collector(_build.this_target()))
        _build.load_collector()
        facts["collector.way"] = "torch's observers"
        facts["collector.direct"] = _direct.why_not() or "can be asked for (--direct, direct=True)"
    except ImportError:
        troubles.append("torch is not installed for this Python")
    except Error as error:
        troubles.append(f"{error}; recording goes through torch.profiler instead")
    try:
        facts["engine"] = f"{_binary.find_binary()} ({_binary.ask('--version').strip()})"
    except Error as error:
        troubles.append(str(error))
    width = max(map(len, facts))
    for key, value in facts.items():
        print(f"{key:<{width}}  {printable(value)}")
    for sentence in troubles:
        print(f"trouble: {printable(sentence)}")
    return 1 if troubles else 0
