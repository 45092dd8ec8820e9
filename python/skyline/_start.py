"""Starts a part of this package: `python …/skyline/_start.py PROGRAM MODULE:FUNCTION WORDS…`; PROGRAM is the `skyline`
that does so.

`python -m` searches the current folder first for whatever is imported, and that may be a stranger's: his re.py would
run. A file that is started has its own folder searched first instead; ours is taken out before anything is imported.
"""

# mypy: ignore-errors
# Annotations would be a mistake to a Python that is too old, which must be able to read this.
import sys


def main(program, task, words):
    if sys.version_info < (3, 11):  # noqa: UP036
        version = ".".join(map(str, sys.version_info[:2]))
        sys.stderr.write("skyline: " + sys.executable + " is Python " + version + ", but 3.11 or later is needed\n")
        return 2
    import importlib.util

    # Found here and nowhere else, and without a place in sys.path, which stays the user's.
    here = __file__.rpartition("/")[0]
    spec = importlib.util.spec_from_file_location("skyline", here + "/__init__.py")
    package = sys.modules["skyline"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
    importlib.import_module("skyline._binary").started_by = program
    module, _, function = task.partition(":")
    return getattr(importlib.import_module(module), function)(words)


if __name__ == "__main__":
    if not getattr(sys.flags, "safe_path", False):
        del sys.path[0]
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
