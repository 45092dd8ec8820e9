"""Recording operators without torch's observers in between: only where it is asked for, and only in builds of torch
that were tried. It replaces functions inside libtorch while a recording runs (src/collect/torch/direct_calls.h)."""

import platform

from . import _private

# torch.__version__ and torch.version.git_version of each build that tests/training has passed with.
TRIED_BUILDS = {
    "2.13.0+cpu": "cf30153c4c131c8164ee7798e5022d810682e2cb",
}


def why_not() -> str:
    """Why it cannot be had here; empty: it can, if the first operators agree with torch's observers."""
    import torch

    if platform.machine() != "x86_64":
        return f"direct recording was tried on x86_64 only, not on {platform.machine()}"
    version = str(torch.__version__)
    if TRIED_BUILDS.get(version) != _private.git_version():
        return f"direct recording was tried with torch {', '.join(TRIED_BUILDS)} only, not with this build of {version}"
    return ""
