"""Processes below us: who they are, and how they end."""

import ctypes
import os
import signal
from pathlib import Path

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h


def libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def adopt_orphans() -> None:
    """What our descendants leave behind comes to us, whatever session it is in."""
    libc().prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent(parent: int) -> None:
    """In a child that was just made. The parent may have gone before we could ask."""
    libc().prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def parents() -> dict[int, int]:
    """The parent of every process."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            stat = Path(f"/proc/{entry}/stat").read_text(errors="replace")
        except OSError:
            continue  # it has ended
        found[int(entry)] = int(stat[stat.rindex(")") + 1 :].split()[1])  # its name may hold anything
    return found


def kill_tree(pid: int) -> None:
    """Kills a process and all that it has started, whatever session they are in: a task is where its orphans go."""
    above = parents()
    tree = [pid]
    for member in tree:
        tree += [child for child, parent in above.items() if parent == member]
    for member in tree:
        try:
            os.kill(member, signal.SIGKILL)
        except OSError:
            continue  # it has ended


def reap(pid: int) -> None:
    try:
        os.waitpid(pid, 0)
    except ChildProcessError:
        pass


def end_children(but: set[int] | None = None) -> None:
    """All of ours, with those that come to us while we do it."""
    spared = but or set()
    while children := [pid for pid, parent in parents().items() if parent == os.getpid() and pid not in spared]:
        for pid in children:
            kill_tree(pid)
            reap(pid)
