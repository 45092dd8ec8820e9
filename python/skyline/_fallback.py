"""Records through torch.profiler: slower and larger, but everywhere."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._error import Error

if TYPE_CHECKING:
    from ._recorders import Options


class TorchRecorder:
    suffix = ".pt.trace.json"

    def __init__(self) -> None:
        self.profiler: Any = None
        self.path = Path()

    def start(self, path: Path, options: "Options", meta: dict[str, str]) -> None:
        from torch.profiler import ProfilerActivity, profile

        try:
            path.touch()
        except OSError as error:
            raise Error(f"cannot write {path}: {error.strerror}") from None
        self.path = path
        self.profiler = profile(
            activities=None if options.devices else [ProfilerActivity.CPU],
            record_shapes=options.shapes,
            profile_memory=options.memory,
            with_stack=options.stacks,
        )
        try:
            self.profiler.start()
            for key, value in meta.items():
                self.profiler.add_metadata_json(key, json.dumps(value))
        except BaseException:
            self.give_up()
            raise

    def note_tensors(self, rows: list[Any]) -> None:
        """torch.profiler's JSON has no place for them."""

    def stop(self) -> dict[str, Any]:
        self.profiler.stop()
        self.profiler.export_chrome_trace(str(self.path))
        self.profiler = None
        return {"file_bytes": self.path.stat().st_size, "dropped": 0, "trouble": ""}

    def give_up(self) -> bool:
        profiler, self.profiler = self.profiler, None
        if profiler is not None:
            try:
                profiler.stop()
            except Exception:  # it has not begun, or has ended already
                pass
        return False
