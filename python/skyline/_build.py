"""Finds the collector for this interpreter and this torch, or compiles it once.

The collector is C++ that must match torch's classes bit for bit, so it comes as source and is compiled on first use
into the user's cache. The key of a build is everything that could make it wrong: Python, torch, compiler, source.
"""

import fcntl
import functools
import hashlib
import importlib.machinery
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from . import _private, _trusted
from ._error import Error
from ._trouble import is_terminal, is_users, say

HERE = Path(__file__).resolve().parent
LAYERS = ("base", "tracefile", "collect")
LIST = "collect/sources.txt"  # what is compiled; CMake reads it, too
JOBS = 2
KEPT_BUILDS = 8
HARDENED = ("-fstack-protector-strong", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2")  # as cmake/hardening.cmake
BUNDLED = HERE / "_source/third_party"  # zstd and xxHash, in a wheel of tools/wheel; else they are the machine's
NEEDS = "g++ and python3-dev" if BUNDLED.is_dir() else "g++, python3-dev, libzstd-dev and libxxhash-dev"


@dataclass(frozen=True)
class Target:
    """What a build must match."""

    python: str
    torch: str
    torch_folder: Path
    cxx11_abi: bool
    compiler: str
    compiler_version: str
    source: Path

    def key(self) -> str:
        parts = (self.python, self.torch, str(self.torch_folder), str(self.cxx11_abi), self.compiler_version)
        digest = hashlib.sha256("\0".join((*parts, *HARDENED)).encode())
        digest.update(source_hash(self.source))
        return digest.hexdigest()[:24]


def source_folder() -> Path:
    """The C++ source: the package's own copy, or the checkout's."""
    for folder in (HERE / "_source", HERE.parent.parent / "src"):
        if (folder / "collect/bindings.cpp").is_file():
            return folder
    raise Error("the collector's source is not in this installation; install skyline again")


def source_files(source: Path) -> list[Path]:
    """All that a build may depend on, in all folders below the layers'."""
    files = [path for layer in LAYERS for path in (source / layer).rglob("*") if path.suffix in {".h", ".cpp"}]
    return sorted([source / LIST, *(path for path in files if not path.stem.endswith("_test"))])


def compiled_files(source: Path) -> list[Path]:
    lines = (source / LIST).read_text().splitlines()
    return [source / line.split()[1] for line in lines if line and not line.startswith("#")]


def source_hash(source: Path) -> bytes:
    digest = hashlib.sha256()
    for path in source_files(source):
        text = path.read_bytes()
        digest.update(f"{path.relative_to(source)}\0{len(text)}\0".encode())
        digest.update(text)
    return digest.digest()


def find_compiler() -> tuple[str, str]:
    """The compiler and its first line of --version."""
    for name in (os.environ.get("CXX"), "g++", "c++"):
        path = shutil.which(name) if name else None
        if path is None:
            continue
        done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout:
            return path, done.stdout.splitlines()[0]
    raise Error(f"there is no C++ compiler to build the collector with; install {NEEDS}")


def this_target() -> Target:
    import torch

    compiler, version = find_compiler()
    return Target(
        python=f"{sys.implementation.cache_tag} {sysconfig.get_config_var('SOABI')}",
        torch=torch.__version__,
        torch_folder=Path(torch.__file__).resolve().parent,
        cxx11_abi=_private.cxx11_abi(),
        compiler=compiler,
        compiler_version=version,
        source=source_folder(),
    )


def cache_folder() -> Path:
    return _trusted.cache_folder() / "collector"


def compile_flags(target: Target) -> list[str]:
    torch_include = target.torch_folder / "include"
    python_include = Path(sysconfig.get_paths()["include"])
    system = [torch_include, torch_include / "torch/csrc/api/include", python_include]
    if BUNDLED.is_dir():
        system.append(BUNDLED / "include")
    return [
        "-std=c++20",
        "-O3",
        "-DNDEBUG",  # as torch: without it, classes have other layouts
        f"-D_GLIBCXX_USE_CXX11_ABI={int(target.cxx11_abi)}",
        "-fPIC",
        "-fvisibility=hidden",
        "-fno-plt",
        *HARDENED,
        *(["-march=x86-64-v2"] if platform.machine() == "x86_64" else []),
        f"-I{target.source}",
        *(flag for folder in system for flag in ("-isystem", str(folder))),
    ]


def link_flags(target: Target) -> list[str]:
    libraries = target.torch_folder / "lib"
    # All symbols are found when the collector is loaded, or it is not loaded: none is missing in the midst of training.
    bound = ["-Wl,-z,relro,-z,now"]
    # What is linked statically stays inside: a library of the same name in the process is another version.
    zstd = [str(BUNDLED / "lib/libzstd.a"), "-Wl,--exclude-libs,ALL"] if BUNDLED.is_dir() else ["-lzstd"]
    return [*bound, f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-lc10", "-ltorch_cpu", *zstd]


def run_logged(command: Iterable[str | Path], log: Path) -> None:
    line = [str(part) for part in command]
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    with log.open("a") as file:
        file.write(f"$ {' '.join(line)}\n{done.stdout}")
    if done.returncode != 0:
        raise Error(f"the collector could not be compiled; the compiler's words are in {log} (it needs {NEEDS})")


class Progress:
    """One line on standard error, rewritten on a terminal."""

    def __init__(self, target: Target, total: int) -> None:
        self.text = f"skyline: building the collector for torch {target.torch}, once"
        self.done, self.total = 0, total
        self.live = is_terminal()
        say(self.text, end="" if self.live else "\n")

    def advance(self) -> None:
        self.done += 1
        if self.live:
            say(f"\r{self.text}: {self.done}/{self.total}", end="")

    def finish(self) -> None:
        if self.live:
            say("\r\033[K", end="")


def snapshot(target: Target, key: str, folder: Path) -> Target:
    """The target with a copy of its source, which nobody edits while it is compiled."""
    for path in source_files(target.source):
        copy = folder / path.relative_to(target.source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    copied = replace(target, source=folder)
    if copied.key() != key:
        raise Error("the collector's source was changed while it was copied; start again")
    return copied


def compile_into(folder: Path, target: Target, log: Path) -> None:
    sources = compiled_files(target.source)
    progress = Progress(target, len(sources) + 1)
    names = ["_".join(path.relative_to(target.source).with_suffix(".o").parts) for path in sources]
    objects = [folder / name for name in names]
    flags = compile_flags(target)

    def compile_one(source: Path, output: Path) -> None:
        run_logged([target.compiler, *flags, "-c", source, "-o", output], log)
        progress.advance()

    try:
        with ThreadPoolExecutor(JOBS) as pool:
            for _ in pool.map(compile_one, sources, objects):
                pass
        library = folder / _trusted.LIBRARY
        run_logged([target.compiler, "-shared", "-o", library, *objects, *link_flags(target)], log)
        for path in objects:
            path.unlink()
    finally:
        progress.finish()


@contextmanager
def locked(path: Path):  # type: ignore[no-untyped-def]
    """Processes that start together build once."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def forget_old_builds(cache: Path, keep: Path) -> None:
    builds = sorted((path for path in cache.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime)
    for path in builds[:-KEPT_BUILDS]:
        if path != keep:
            shutil.rmtree(path, ignore_errors=True)


def built_collector(target: Target) -> Path:
    """The collector's library; compiles it if there is none yet, or none that may be loaded."""
    cache = cache_folder()
    final = cache / target.key()
    library = final / _trusted.LIBRARY
    try:
        _trusted.make_private(cache)
        if not _trusted.what_is_wrong(final):
            return library
        with locked(cache / "lock"):
            wrong = _trusted.what_is_wrong(final)
            if not wrong:
                return library
            if os.path.lexists(final):
                say(f"skyline: the collector in {final} {wrong}; it is built anew")
                _trusted.discard(final)
            log = cache / f"{final.name}.log"
            log.write_text("")
            with tempfile.TemporaryDirectory(dir=cache, prefix="building-") as folder:
                compile_into(Path(folder), snapshot(target, final.name, Path(folder) / "source"), log)
                _trusted.keep(Path(folder) / _trusted.LIBRARY, final)
            log.unlink()
            forget_old_builds(cache, final)
    except OSError as error:
        if is_users(error):
            raise
        reason = f"{error.strerror or error}; set XDG_CACHE_HOME to another folder"
        raise Error(f"the collector could not be built in {cache}: {reason}") from error
    return library


@functools.cache
def load_collector() -> ModuleType:
    """The collector, ready to record; raises Error when it cannot be had here."""
    if sys.platform != "linux":
        raise Error(f"the collector knows Linux only, not {sys.platform}")
    return loaded(built_collector(this_target()))


def loaded(library: Path) -> ModuleType:
    loader = importlib.machinery.ExtensionFileLoader("_collector", str(library))
    spec = importlib.util.spec_from_loader("_collector", loader)
    assert spec is not None
    try:
        module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
    except ImportError as error:
        raise Error(f"the collector at {library} cannot be loaded: {error}") from error
    return module
