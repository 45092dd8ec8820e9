"""keep_collector.py LIBRARY: makes a collector that CMake has built the one that `skyline` finds in its cache.

For the suite `collector` of ./test, with XDG_CACHE_HOME set to a folder of its own: what records there is instrumented,
and nothing in the package need know.
"""

import shutil
import sys
from pathlib import Path

from skyline import _build, _trusted


def main(library: str) -> None:
    cache = _build.cache_folder()
    _trusted.make_private(cache)
    final = cache / _build.this_target().key()
    if final.exists():
        _trusted.discard(final)
    staging = cache / "staging"
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir()
    _trusted.keep(Path(shutil.copy(library, staging / _trusted.LIBRARY)), final)
    staging.rmdir()


if __name__ == "__main__":
    main(*sys.argv[1:])
