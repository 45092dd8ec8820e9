"""DataLoader workers: they are sampled, and their time is told: waiting for indices, fetching, collating.

A worker follows the trainer's recordings from its beginning to its end (collect/sampling), whether it is forked or
spawned. The settings of every DataLoader that is used are kept for the recording.
"""

import functools
import gc
import operator
import runpy
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from . import _private
from ._trouble import harmless, say_once

# Of the loaders that were used so far, by their order: "loader.0.num_workers".
loader_settings: dict[str, str] = {}
LOADER_ARGUMENTS = (
    "num_workers", "batch_size", "pin_memory", "persistent_workers", "prefetch_factor", "drop_last", "timeout"
)  # fmt: skip
MOST_LOADERS = 16

known_loaders: dict[int, int] = {}  # by id, their number
collector: ModuleType | None = None
# Which argument of torch's worker loop is what.
INDEX_QUEUE, COLLATE, NUMBER = 2, 6, 10


def watch(its_collector: ModuleType) -> None:
    """Once; loaders that are used from now on are seen."""
    global collector
    if collector is not None:
        return
    base = _private.data_loader_iterator()
    iterator, worker, _ = _private.loader_workers()
    if base is None or iterator is None or worker is None:
        say_once("this torch has other names for DataLoader workers: they are not sampled")
        return
    collector = its_collector
    base.__init__ = with_settings(base.__init__)
    iterator.__init__ = with_followers(iterator.__init__, worker)


def with_settings(usual: Any) -> Any:
    @functools.wraps(usual)
    def init(self: Any, loader: Any) -> None:
        usual(self, loader)
        harmless("a DataLoader's settings are not recorded", note_loader, loader)

    return init


def note_loader(loader: Any) -> None:
    number = known_loaders.setdefault(id(loader), len(known_loaders))
    if number >= MOST_LOADERS:
        return
    settings = {f"loader.{number}.{name}": str(getattr(loader, name, None)) for name in LOADER_ARGUMENTS}
    if all(loader_settings.get(key) == value for key, value in settings.items()):
        return
    loader_settings.update(settings)
    if collector is not None:
        collector.note_settings(settings)


def with_followers(usual: Any, worker: Any) -> Any:
    @functools.wraps(usual)
    def init(self: Any, loader: Any) -> None:
        own_loop = getattr(worker, _private.WORKER_LOOP)
        followed_loop: list[Any] = []
        harmless("workers are not sampled", lambda: followed_loop.append(follower_of(own_loop, loader)))
        if not followed_loop or followed_loop[0] is None:
            usual(self, loader)
            return
        setattr(worker, _private.WORKER_LOOP, followed_loop[0])
        try:
            usual(self, loader)
        finally:
            setattr(worker, _private.WORKER_LOOP, own_loop)

    return init


def follower_of(own_loop: Any, loader: Any) -> Any:
    """What the workers of this loader are to run instead; None: what they would run without us."""
    if collector is None or isinstance(own_loop, (FollowedLoop, SpawnedLoop)):
        return None
    page: str = collector.sampling_prepare()
    if forks(loader):
        followed.usual = own_loop
        return followed
    # Found again by its name: somebody's own may be anything.
    is_torchs = isinstance(own_loop, FunctionType) and own_loop.__qualname__ == _private.WORKER_LOOP
    if not is_torchs or not page:
        return None
    return SpawnedLoop(own_loop, page, str(collector.__file__))


def forks(loader: Any) -> bool:
    import multiprocessing

    context = getattr(loader, "multiprocessing_context", None)
    method = context.get_start_method() if context is not None else multiprocessing.get_start_method(allow_none=True)
    if method is None:
        method = multiprocessing.get_all_start_methods()[0]
    return bool(method == "fork")


class FollowedLoop:
    """torch's worker loop in a worker that follows the trainer's recordings."""

    usual: Callable[..., None]

    def __call__(self, *arguments: Any) -> None:
        watched: list[Any] = []
        harmless("this worker is not sampled", self._follow, arguments, watched)
        try:
            self.usual(*(watched or arguments))
        finally:
            if collector is not None:
                harmless("the end of this worker is not sampled", collector.sampling_leave)

    def _follow(self, arguments: tuple[Any, ...], watched: list[Any]) -> None:
        assert collector is not None
        number = int(arguments[NUMBER])
        collector.sampling_join({"process.role": "DataLoader worker", "process.name": f"DataLoader worker {number}"})
        if collector.note_gc not in gc.callbacks:
            gc.callbacks.append(collector.note_gc)
        index_queue = arguments[INDEX_QUEUE]
        index_queue.get = timed("DataLoader.wait", index_queue.get)
        _, _, fetch = _private.loader_workers()
        for name in ("_MapDatasetFetcher", "_IterableDatasetFetcher"):
            if (fetcher := getattr(fetch, name, None)) is not None:
                fetcher.fetch = timed("DataLoader.fetch", fetcher.fetch)
        collate = timed("DataLoader.collate", arguments[COLLATE])
        watched += (*arguments[:COLLATE], collate, *arguments[COLLATE + 1 :])


followed = FollowedLoop()


class Sent:
    """Is not itself when it is unpickled, but what a function of the standard library answers there."""

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> Any:
        return self.call


class SpawnedLoop(Sent):
    def __init__(self, own_loop: FunctionType, page: str, library: str) -> None:
        loaded = Sent(runpy.run_path, str(Path(__file__).with_name("_spawned.py")))
        begin = Sent(operator.getitem, loaded, "worker_loop")
        super().__init__(operator.call, begin, own_loop.__module__, own_loop.__qualname__, page, library)


def follow_spawned(usual: Callable[..., None], page: str, library: str) -> FollowedLoop:
    """In the worker: with the library that its trainer has loaded, or not at all."""
    global collector
    from . import _build, _trusted

    if wrong := _trusted.what_is_wrong(Path(library).parent):
        raise RuntimeError(f"the collector in {Path(library).parent} {wrong}")
    collector = _build.loaded(Path(library))
    collector.sampling_attach(page)
    followed.usual = usual
    return followed


def timed(name: str, usual: Callable[..., Any]) -> Callable[..., Any]:
    assert collector is not None
    ticks, note_range = collector.ticks, collector.note_range

    def call(*arguments: Any, **named: Any) -> Any:
        start = ticks()
        try:
            return usual(*arguments, **named)
        finally:
            note_range(name, start)

    return call
