"""A process between a session and the one that runs somebody's code.

Code may do to its parent what it likes, `os.kill(os.getppid(), 9)` for one; that parent is never the session. A keeper
outlives what it keeps, and orphans from below come to it, in whatever session they are and whatever has become of their
environment: when the kept process is gone nothing of it is left. One that was stopped is as good as gone.
"""

import os
import resource
import select
import signal
import sys
import time
from dataclasses import dataclass

from . import _processes

GRACE_S = 5.0  # for the kept process, to end by itself when nobody listens any more


@dataclass
class End:
    code: int = 0
    signal: str = ""  # of what ended or stopped it; empty: it ended by itself


def keep(control: int) -> End | None:
    """Returns twice: None in the kept process, its end in the keeper. `control`: a socket; when its other side is gone,
    so are we, soon."""
    keeper = os.getpid()
    _processes.adopt_orphans()
    pid = os.fork()
    if pid == 0:
        _processes.die_with_parent(keeper)
        os.setsid()  # a signal to its group does not reach us
        return None
    signal.signal(signal.SIGUSR1, lambda *_: send(pid, signal.SIGUSR1))  # its stack is asked for
    end = wait_for(pid, control)
    _processes.end_children()
    return end


def send(pid: int, what: signal.Signals) -> None:
    try:
        os.kill(pid, what)
    except ProcessLookupError:
        pass


def wait_for(pid: int, control: int) -> End:
    woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    poller = select.poll()
    poller.register(woken, select.POLLIN)
    poller.register(control, 0)  # nothing but its end
    deadline = None
    while (end := end_of(pid)) is None:
        events = dict(poller.poll(None if deadline is None else 100))
        if woken in events:
            os.read(woken, 4096)
        if control in events:
            poller.unregister(control)
            deadline = time.monotonic() + GRACE_S
        if deadline is not None and time.monotonic() > deadline:
            send(pid, signal.SIGKILL)
    return end


def end_of(pid: int) -> End | None:
    """Buries whoever has ended."""
    while (child := os.waitid(os.P_ALL, 0, os.WEXITED | os.WSTOPPED | os.WNOHANG)) is not None:
        if child.si_pid != pid:
            continue
        if child.si_code == os.CLD_EXITED:
            return End(code=child.si_status)
        if child.si_code == os.CLD_STOPPED:
            _processes.kill_tree(pid)
        return End(signal=signal.Signals(child.si_status).name)
    return None


def end_likewise(end: End) -> int:
    """Our own end is that of what we kept, as far as that can be; else our exit code."""
    if not end.signal:
        return end.code
    number = signal.Signals[end.signal]
    if number in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
        print(f"it was stopped with {end.signal}", file=sys.stderr, flush=True)
        number = signal.SIGKILL
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 128 + number


def main(arguments: list[str]) -> int:
    """A worker without a zygote; its arguments are worker.main's."""
    end = keep(int(arguments[0]))
    if end is not None:
        return end_likewise(end)
    from . import worker  # imports torch, which a fork should not find there

    worker.prepare()
    return worker.main(*map(int, arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
