"""Whether a `with` block is still open. One whose __exit__ was struck by an exception in its first line, as Ctrl-C may,
was left without any trace of that but the place where its function stands, if it still runs."""

import dis
import inspect
from types import CodeType, FrameType

from . import _private

# A function that may stand still in the middle of a block without being on any thread's stack.
SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class WithBlock:
    def __init__(self, frame: FrameType) -> None:
        """Of the frame that runs the `with`, while it calls __enter__."""
        self.frame, self.code, self.entered_at = id(frame), frame.f_code, frame.f_lasti

    def is_left(self) -> bool:
        """False where that cannot be known."""
        try:
            frame = self._running_frame()
            if frame is None:
                return not self.code.co_flags & SUSPENDS
            return not is_inside(self.code, self.entered_at, frame.f_lasti)
        except Exception:  # a Python that keeps these things otherwise
            return False

    def _running_frame(self) -> FrameType | None:
        for top in _private.frames_of_threads():
            frame: FrameType | None = top
            while frame is not None:
                if id(frame) == self.frame and frame.f_code is self.code:
                    return frame
                frame = frame.f_back
        return None


def block_around(frame: FrameType | None) -> WithBlock | None:
    """The block that a frame is about to enter; None if it calls __enter__ by hand, as contextlib.ExitStack does."""
    try:
        assert frame is not None
        before, now = (dis.opname[frame.f_code.co_code[frame.f_lasti + offset]] for offset in (-2, 0))
        # Python 3.14 has made two instructions of one.
        return WithBlock(frame) if now == "BEFORE_WITH" or (before, now) == ("LOAD_SPECIAL", "CALL") else None
    except Exception:
        return None


def is_inside(code: CodeType, entered_at: int, offset: int) -> bool:
    """Whether the instruction at `offset` lies in the block that was entered at `entered_at`, by the table of
    exception handlers: that of a block covers all of it, but for parts with a handler of their own, which it covers."""
    entries = _private.exception_entries(code)
    leave = next(target for start, _, target in entries if start > entered_at)
    for _ in entries:
        covering = [target for start, end, target in entries if start <= offset < end]
        if not covering or covering[0] == leave:
            return bool(covering)
        offset = covering[0]
    return False
