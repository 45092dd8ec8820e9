"""The other readers of the same file, installed at fixed versions into a virtual environment of their own."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from measure import CommandFailed, Contender, cores

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Peer:
    """A Python program that reads the trace named by its first argument."""

    label: str
    requirement: str
    program: str
    pinned: Path | None = None  # the list with hashes that it is installed from; pip has none for a repository
    hint: str = ""  # why it may be impossible to have on this machine


BASELINE = Peer(
    "gzip + orjson.loads",
    "orjson==3.13.0",
    "import gzip, orjson, sys\ntrace = orjson.loads(gzip.open(sys.argv[1]).read())\nprint(len(trace['traceEvents']))\n",
    HERE / "peers/orjson.txt",
)

PEERS = {
    "hta": Peer(
        "HTA",
        "HolisticTraceAnalysis==0.5.0",
        "import sys\n"
        "from hta.trace_analysis import TraceAnalysis\n"
        "TraceAnalysis(trace_files={0: sys.argv[1]}, trace_dir='/')\n",
        HERE.parent / "conformance/requirements.txt",
    ),
    "tracelens": Peer(
        "TraceLens",
        "TraceLens @ git+https://github.com/AMD-AGI/TraceLens@171dd74",
        "import sys\nfrom TraceLens import TreePerfAnalyzer\nTreePerfAnalyzer.from_file(sys.argv[1])\n",
        hint="it comes from its repository only; the package of that name on PyPI is another project",
    ),
    "perfetto": Peer(
        "Perfetto",
        "perfetto==0.59.1",
        "import sys\n"
        "from perfetto.trace_processor import TraceProcessor\n"
        "print(next(iter(TraceProcessor(trace=sys.argv[1]).query('select count(1) as n from slice'))).n)\n",
        HERE / "peers/perfetto.txt",
        "its package downloads the native trace processor on first use",
    ),
}


def install(peer: Peer, folder: Path) -> Path:
    """The Python that has the peer. Raises CommandFailed when it cannot be installed."""
    python = folder / "bin/python"
    installed = folder / "installed.txt"
    wanted = peer.pinned.read_text() if peer.pinned else peer.requirement
    if installed.exists() and installed.read_text() == wanted:
        return python
    print(f"installing {peer.requirement} into {folder.name}", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    what = ["--no-deps", "--require-hashes", "-r", peer.pinned] if peer.pinned else [peer.requirement]
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandFailed(f"{peer.label}: pip could not install {peer.requirement}")
    installed.write_text(wanted)
    return python


def contender(peer: Peer, venvs: Path, trace: Path) -> Contender:
    """Each peer has an environment of its own: their requirements need not agree."""
    python = install(peer, venvs / peer.requirement.split()[0].split("=")[0])
    return Contender(peer.label, [str(python), "-c", peer.program, str(trace)], cores(1))
