"""Whether a script has left the work to other processes, which are not recorded."""

import resource

from ._voice import Voice

# Less than importing torch takes.
WORTH_TELLING_S = 0.5


def cpu_time_s() -> float:
    """Of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Children:
    """Those from here on."""

    def __init__(self) -> None:
        self.before_s = cpu_time_s()

    def tell(self, voice: Voice) -> None:
        if cpu_time_s() - self.before_s > WORTH_TELLING_S:
            voice.say(
                "child processes are not recorded; to record every rank, start it with "
                "`torchrun … -m skyline run script.py`"
            )
