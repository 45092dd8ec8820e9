"""What only the wheel of tools/wheel promises. Not part of ./test, as making it takes minutes: `tools/wheel --test`."""

import re
import subprocess
import urllib.request
from pathlib import Path

from package.user import PATIENCE_S, User

SYSTEM = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2"}


def readelf(path: Path) -> str:
    parts = ("--file-header", "--program-headers", "--dynamic", "--version-info", "--dyn-syms")
    return subprocess.run(["readelf", "--wide", *parts, path], capture_output=True, text=True, check=True).stdout


def test_its_name_promises_every_python_and_glibc_2_28(wheel: Path) -> None:
    assert wheel.name == "skyline-0.1.0-py3-none-manylinux_2_28_x86_64.whl"


def test_the_program_keeps_the_promise(user: User) -> None:
    told = readelf(user.package / "bin/skyline")
    assert set(re.findall(r"Shared library: \[(.*?)\]", told)) <= SYSTEM
    versions = {tuple(int(part) for part in found.split(".")) for found in re.findall(r"GLIBC_([0-9]+[0-9.]*)", told)}
    assert max(versions) <= (2, 28)
    assert "GLIBCXX" not in told


def test_the_program_is_hardened(user: User) -> None:
    told = readelf(user.package / "bin/skyline")
    assert "DYN (Position-Independent Executable file)" in told
    assert "GNU_RELRO" in told and "BIND_NOW" in told
    assert "__stack_chk_fail" in told and re.search(r"__(?!stack)\w+_chk@", told)
    assert re.search(r"GNU_STACK .* RW ", told)


def test_the_page_is_inside(user: User) -> None:
    with user.start("skyline", "open", "--no-open", user.trace) as process:
        assert process.stdout is not None
        address = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
        with urllib.request.urlopen(address, timeout=240) as answer:
            page = answer.read().decode()
        process.terminate()
        process.communicate(timeout=PATIENCE_S)
    assert '<script type="module"' in page


def test_the_collector_needs_no_library_of_the_machine(user: User, tmp_path: Path) -> None:
    """What of it knows neither torch nor Python is linked as the whole is; zstd's header is looked for nowhere else."""
    source = user.package / "_source"
    bundled = source / "third_party"
    output = tmp_path / "part.so"
    words = ["g++", "-std=c++20", "-O0", "-fPIC", "-shared", "-H", f"-I{source}", "-isystem", bundled / "include"]
    words += [source / f"tracefile/{name}.cpp" for name in ("checksum", "chunk_builder", "encoding", "writer")]
    words += [source / "base/check.cpp", "-o", output, bundled / "lib/libzstd.a", "-Wl,--exclude-libs,ALL"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    headers = re.findall(r"^\.+ (\S*/(?:zstd|xxhash)\S*)$", done.stderr, re.MULTILINE)
    assert headers and all(path.startswith(str(bundled)) for path in headers)
    assert "zstd" not in readelf(output).lower()


def test_licences_of_what_is_inside_come_along(user: User) -> None:
    assert {path.stem for path in (user.package / "licenses").iterdir()} >= {"libisal-dev", "libzstd-dev", "libfmt-dev"}
