"""The recorded part of an unchanged script's run: when it opens, when it closes, what is said about it."""

import argparse
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ._children import Children
from ._error import Error
from ._marks import Watcher
from ._measured_cost import MeasuredCost
from ._profile import profile
from ._sampling import DEFAULT_HZ
from ._trace_place import TracePlace
from ._trouble import say_once
from ._voice import Voice, flush_output


class Settling:
    """Decides when the loop has settled: its steps take about the same time, or it has gone on for long enough."""

    LEAST_STEPS, MOST_STEPS, MOST_S = 3, 10, 10.0
    ALIKE = 1.25  # the longest of the last steps by the shortest

    def __init__(self, after_steps: int | None, after_s: float, now_s: float) -> None:
        self.after_steps, self.after_s = after_steps, after_s
        self.begin_s = now_s
        self.ends_s: list[float] = []

    def step_ended(self, now_s: float) -> bool:
        """Whether the window may open with the next step."""
        self.ends_s.append(now_s)
        if now_s - self.begin_s < self.after_s:
            return False
        if self.after_steps is not None:
            return len(self.ends_s) >= self.after_steps
        return len(self.ends_s) >= self.LEAST_STEPS and self._is_steady()

    def _is_steady(self) -> bool:
        if len(self.ends_s) >= self.MOST_STEPS or self.ends_s[-1] - self.ends_s[0] > self.MOST_S:
            return True
        last = self.ends_s[-self.LEAST_STEPS :]
        durations = [end - start for start, end in zip(last, last[1:])]
        return max(durations) <= self.ALIKE * min(durations)


class Window:
    """The recorded part of the run: some steps, once they have settled. Until then the beginning is recorded, and kept
    if the script ends before that."""

    def __init__(self, options: argparse.Namespace, place: TracePlace, voice: Voice, begin_s: float) -> None:
        self.place, self.voice = place, voice
        place.claim()
        switches: dict[str, Any] = {
            "record_shapes": options.shapes,
            "with_stack": options.stack,
            "profile_memory": options.memory,
            "direct": options.direct,
            "samples_hz": DEFAULT_HZ if options.samples else 0,
        }
        self.beginning = profile(place.start, **switches)
        self.window = profile(place.path, **switches)
        # torch.profiler does not survive one recording being replaced by another inside a range, and hooks are called
        # inside one: where it records, there is no recording before the window, which opens at once unless told not to.
        through_torch = self.window.records_through_torch()
        asked_to_wait = bool(options.after_steps) or options.after_seconds > 0
        self.settles = asked_to_wait or (options.after_steps is None and not through_torch)
        self.has_beginning = self.settles and not through_torch
        self.recording: profile | None = None
        self.settling = Settling(options.after_steps, options.after_seconds, begin_s)
        self.watcher = Watcher(self._stepped)
        self.steps_left, self.length_s = options.steps, options.max_seconds
        self.steps = 0  # in the window
        self.cost = MeasuredCost()
        self.has_stepped = False  # any optimizer, at any time
        self.wants_report = options.report and place.wants_report
        self.lock = threading.RLock()
        self.is_over = False
        self.is_forgotten = False  # this is a child: another thread may have held the lock
        self.timer: threading.Timer | None = None
        self.children = Children()

    def open(self) -> None:
        with self.lock:
            self.watcher.start()
            if self.has_beginning:
                self._record(self.beginning)
            elif not self.settles:
                self._record(self.window)
            self.children = Children()  # after ours, which compile the collector

    def _record(self, part: profile) -> None:
        self._stop()
        self.recording = part  # before it is so: Ctrl-C may come in between
        try:
            part.start()
        except Error as error:  # the script records by itself
            self.recording = None
            say_once(f"{error}; training goes on unrecorded")
            return
        if part is self.beginning:
            self.place.owns_start = True
        elif not self.has_beginning:
            self.place.release()
        self.watcher.begin_marking(settled=part is self.window)
        if self.length_s > 0:
            self._end_in_time(self._stop if part is self.beginning else self.close)

    def _end_in_time(self, end: Callable[[], None]) -> None:
        self.timer = threading.Timer(self.length_s, end)
        self.timer.daemon = True
        try:
            self.timer.start()
        except RuntimeError as error:
            say_once(f"--max-seconds has no effect: {error}")

    def _stop(self) -> None:
        with self.lock:
            self.watcher.marking = False
            timer, self.timer = self.timer, None
            if timer is not None:
                timer.cancel()
            if self.recording is not None:
                self.recording.stop()
                self.recording = None  # only now: who is interrupted may stop again

    def _stepped(self, is_round_end: bool) -> None:
        self.has_stepped = True
        if not is_round_end or self.is_forgotten:
            return
        with self.lock:
            if self.is_over:
                self._unrecorded_step_ended()
                return
            if self.settles and self.recording is not self.window:
                if self.settling.step_ended(time.monotonic()):
                    self._record(self.window)
                return
            self.steps += 1
            self.cost.step_ended(time.monotonic(), is_recorded=True)
            if self.steps == 1:  # now the window is worth more than the start, however the script ends
                self.place.release()
            if self.steps == self.steps_left:
                self.close()

    def close(self) -> None:
        with self.lock:
            if not self.is_over:
                self.is_over = True
                self.watcher.only_steps()
            self._stop()
            if self.cost.is_known():
                self.watcher.stop()

    def _unrecorded_step_ended(self) -> None:
        self.cost.step_ended(time.monotonic(), is_recorded=False)
        if self.cost.is_known():
            self.watcher.stop()

    def _finished_trace(self) -> Path | None:
        """The window's; the beginning's if the script has ended before a step of the window."""
        beginning, window = self.beginning.trace_path, self.window.trace_path
        if beginning is None or not beginning.exists() or (window is not None and self.steps > 0):
            self.place.release()
            return window
        return beginning.replace(self.place.path)

    def forget_in_child(self) -> None:
        self.is_over = True
        self.is_forgotten = True
        self.watcher.marking = False

    def finish(self) -> None:
        self.close()
        self.watcher.stop()
        trace = self._finished_trace()
        flush_output()
        if trace is None:
            self.voice.say("nothing was recorded")
            return
        self.voice.say(f"the trace is {display(trace)}")
        if self.place.wants_report:
            self._explain()
        if self.wants_report:
            self.voice.report(trace)
            if (cost := self.cost.sentence()) is not None:
                self.voice.say(cost)

    def _explain(self) -> None:
        """Why there are no steps, if there are none."""
        if self.settles and self.steps == 0:
            why = "no steps have settled" if self.has_stepped else "no torch.optim optimizer was seen to step"
            self.voice.say(f"it holds the script's start, as {why}")
        if not self.has_stepped:
            self.children.tell(self.voice)


def display(path: Path) -> Path:
    try:
        return path.relative_to(Path.cwd())
    except (OSError, ValueError):  # the current folder is gone, or another one
        return path
