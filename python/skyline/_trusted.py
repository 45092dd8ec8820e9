"""The user's cache, where code lies that we run: only what is whole, and what nobody else could have written."""

import hashlib
import os
import pwd
import shutil
import stat
from pathlib import Path

from ._error import Error
from ._trouble import say_once

LIBRARY, CHECKSUM = "_collector.so", "_collector.sha256"


def is_ours(about: os.stat_result) -> bool:
    """Root's is as good: who is root can do anything."""
    return about.st_uid in (os.geteuid(), 0)


def cache_folder() -> Path:
    """For our files in the user's cache. Where the environment names another user's home, as under `sudo -E`, ours."""
    try:
        named = os.environ.get("XDG_CACHE_HOME")
        home = Path(named) if named else Path.home()
    except RuntimeError:
        raise Error("there is no home folder to keep the collector in; set XDG_CACHE_HOME to a folder") from None
    folder = (home if named else home / ".cache") / "skyline"
    strangers = [path for path in (home, folder.parent, folder) if path.exists() and not is_ours(path.stat())]
    if not strangers:
        return folder
    own = own_home()
    if own is None or own == home:
        raise Error(f"{strangers[0]} belongs to another user; set XDG_CACHE_HOME to a folder of your own")
    say_once(f"{strangers[0]} belongs to another user; the collector is kept in {own / '.cache'}")
    return own / ".cache/skyline"


def own_home() -> Path | None:
    try:
        home = Path(pwd.getpwuid(os.geteuid()).pw_dir)
        return home if is_ours(home.stat()) else None
    except (KeyError, OSError):
        return None


def make_private(folder: Path) -> None:
    """Makes it, and the one above it, for us alone, whatever the umask; ours that are open to others are closed."""
    folder.parent.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in (folder.parent, folder):
        path.mkdir(mode=0o700, exist_ok=True)
        about = path.stat()
        if not is_ours(about):
            raise Error(f"{path} belongs to another user; set XDG_CACHE_HOME to a folder of your own")
        if about.st_uid == os.geteuid() and stat.S_IMODE(about.st_mode) != 0o700:
            path.chmod(0o700)


def what_is_wrong(build: Path) -> str:
    """Why the library in this folder must not be loaded; empty: it may."""
    try:
        for path in (build, build / LIBRARY, build / CHECKSUM):
            about = path.lstat()
            if not is_ours(about):
                return "belongs to another user"
            if not (stat.S_ISDIR if path == build else stat.S_ISREG)(about.st_mode):
                return "is something else"
            if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                return "can be changed by other users"
        if (build / CHECKSUM).read_text() != checksum(build / LIBRARY):
            return "is damaged"
    except FileNotFoundError:
        return "is not complete"
    except (OSError, ValueError) as error:
        return f"cannot be read ({getattr(error, 'strerror', None) or error})"
    return ""


def checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def keep(library: Path, build: Path) -> None:
    """The finished library becomes `build`, at once and for good."""
    staged = library.with_name("finished")
    staged.mkdir()
    staged.chmod(0o700)
    os.rename(library, staged / LIBRARY)
    (staged / CHECKSUM).write_text(checksum(staged / LIBRARY))
    for path in (staged / LIBRARY, staged / CHECKSUM):
        path.chmod(0o600)
        sync(path)
    sync(staged)
    os.rename(staged, build)
    sync(build.parent)


def sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def discard(build: Path) -> None:
    """Another user's folder cannot be emptied, but it can be put aside."""
    if build.is_symlink() or not build.is_dir():
        build.unlink()
        return
    aside = build.with_name(f"refused-{os.getpid()}-{build.name}")
    os.rename(build, aside)
    shutil.rmtree(aside, ignore_errors=True)
