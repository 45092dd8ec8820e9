"""What Python does beside operators: sampled stacks, pauses of the garbage collector, counters, settings.

The collector writes them as parts of the recording, one per process, into a folder beside it: `NAME.parts`. A part
holds what was written however its process ends. When the recording stops, the parts are put into its file, and the
folder goes; a recording that was killed keeps it, and readers find it there.
"""

import gc
import os
import shutil
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from . import _optimizer_steps, _settings, _workers
from ._sources import Sources
from ._trouble import harmless, say_once

DEFAULT_HZ = 100
MOST_PART_BYTES = 200 << 20  # fits one chunk


def loaded_files() -> list[str]:
    """Of all modules, as their code names them."""
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return [file for file in files if isinstance(file, str) and file.endswith(".py")]


def folder_of(recording: Path) -> Path:
    return recording.with_name(recording.name + ".parts")


class Sampling:
    """The parts of one recording after another."""

    def __init__(self, collector: ModuleType) -> None:
        self.collector = collector
        self.folder: Path | None = None
        self.recording = ""
        self.has_ended = False
        self.undo: Callable[[], object] = bool  # ends what begin() has begun

    def new_recording(self) -> dict[str, str]:
        """What the recording's own file says, by which its parts are known."""
        self.recording = uuid.uuid4().hex
        return {"recording.id": self.recording}

    def begin(self, path: Path, hz: int) -> None:
        """After the recording has begun. What fails here costs samples, not the recording."""
        harmless("nothing is sampled", self._begin, path, hz)

    def _begin(self, path: Path, hz: int) -> None:
        folder = folder_of(Path(os.path.abspath(path)))
        shutil.rmtree(folder, ignore_errors=True)  # of another recording with this name
        folder.mkdir(mode=0o700)
        self.folder, self.has_ended = folder, False
        self.collector.sampling_begin(folder, self.recording, hz, {"process.role": "trainer"})
        _workers.watch(self.collector)
        gc.callbacks.append(self.collector.note_gc)
        self.undo = _optimizer_steps.listen(after_each=lambda _: self.collector.count_step())
        self.collector.note_settings(_settings.of_run(self.collector) | _workers.loader_settings)

    def end(self, sources: Sources | None) -> None:
        """Before the recording stops: hands it the parts, and the files that samples may be in."""
        if self.folder is not None and not self.has_ended:
            self.has_ended = True
            harmless("samples are not in the recording", self._end, self.folder)
            if sources is not None:
                harmless("some files are not in the recording", sources.take, loaded_files())

    def _end(self, folder: Path) -> None:
        self.undo()
        if self.collector.note_gc in gc.callbacks:
            gc.callbacks.remove(self.collector.note_gc)
        outcome: dict[str, Any] = self.collector.sampling_end()
        if outcome["trouble"]:
            say_once(outcome["trouble"])
        for part in sorted(folder.glob("*.part")):
            if part.stat().st_size <= MOST_PART_BYTES:
                self.collector.add_part(part.name, part.read_bytes())

    def clean_up(self) -> None:
        """After the recording has stopped well."""
        folder, self.folder = self.folder, None
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
