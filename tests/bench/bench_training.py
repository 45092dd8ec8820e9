#!/usr/bin/env python3
"""Measures what recording costs two real trainings, a Hugging Face and a Lightning one, against torch.profiler.

    bench_training.py --rounds 5 --markdown docs/performance.md

Each way runs in a process of its own, one after the other, round after round; of each the best round counts. A round's
wall time is the median of its steps, its CPU time the mean over them, all threads included. Makes build/bench-venv with
transformers and lightning beside the torch of --python, from the package index; never part of the tests.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from tables import Table, at_most, show_all
from torch_bench import add_options, versions_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MODELS = ("hugging-face", "lightning")
EVER = "1000000"
# Options of `skyline run`; None: the program by itself. Steps from FIRST on count.
FIRST = 30
WAYS: dict[str, list[str] | None] = {
    "nothing": None,
    "skyline run, window closed": ["--after-steps", "5", "--steps", "10"],
    "skyline run, window open": ["--after-steps", "5", "--steps", EVER, "--max-seconds", "600"],
    "skyline run, window never opens": ["--after-steps", EVER, "--max-seconds", "600"],
    "torch.profiler": None,
}


def make_environment(python: Path) -> Path:
    """A Python with the frameworks, and the torch that is there already."""
    folder = ROOT / "build/bench-venv"
    own = folder / "bin/python"
    if not (folder / "made").exists():
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        where = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
        packages = [subprocess.check_output([one, "-c", where], text=True).strip() for one in (python, own)]
        Path(packages[1], "torch_of_the_tests.pth").write_text(packages[0] + "\n")
        subprocess.run([own, "-m", "pip", "install", "-q", "lightning", "transformers", "accelerate"], check=True)
        (folder / "made").touch()
    return own


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.python = make_environment(options.python)
        self.folder = ROOT / "build/bench-data"
        (self.folder / "cache").mkdir(parents=True, exist_ok=True)

    def run(self, model: str, way: str) -> dict[str, float]:
        own = {
            "PYTHONPATH": str(ROOT / "python"),
            "SKYLINE_BINARY": str(self.options.binary.resolve()),
            "XDG_CACHE_HOME": os.environ.get("SKYLINE_BENCH_CACHE", str(self.folder / "cache")),
            "OMP_NUM_THREADS": "1",
            "HF_HUB_OFFLINE": "1",
        }
        script = [str(HERE / "real_training.py"), model, "torch.profiler" if way == "torch.profiler" else "plain"]
        script += [str(self.options.steps), str(FIRST)]
        recorder = WAYS[way]
        if recorder is not None:
            trace = str(self.folder / "training.skyline")
            script = ["-m", "skyline", "run", "--no-report", "-o", trace, *recorder, *script]
        done = subprocess.run(
            [self.python, *script], env=os.environ | own, capture_output=True, text=True, check=False, cwd=self.folder
        )
        if done.returncode != 0:
            raise SystemExit(f"{model}, {way}: code {done.returncode}: {done.stderr.strip()[-500:]}")
        answer: dict[str, float] = json.loads([line for line in done.stdout.splitlines() if line.startswith("{")][-1])
        return answer

    def table(self) -> Table:
        best: dict[tuple[str, str], dict[str, float]] = {}
        for _ in range(self.options.rounds):
            for model in MODELS:
                for way in WAYS:
                    measured = self.run(model, way)
                    print(f"{model}, {way}: {measured}", file=sys.stderr)
                    known = best.setdefault((model, way), measured)
                    best[model, way] = {kind: min(value, known[kind]) for kind, value in measured.items()}
        rows, goals = [], []
        for model in MODELS:
            base = best[model, "nothing"]
            for way in WAYS:
                one = best[model, way]
                rows.append((model, way, *(text for kind in ("wall", "cpu") for text in against(one, base, kind))))
            added = {way: best[model, way]["cpu"] - base["cpu"] for way in WAYS}
            open_share = added["skyline run, window open"] / max(added["torch.profiler"], 1e-9)
            goals.append(at_most(f"{model}: added CPU time, window open, by torch.profiler's", open_share, 0.5))
        title = f"Two real trainings, {self.options.rounds} rounds of {self.options.steps - FIRST} steps"
        head = ("training", "recorded by", "wall per step", "of nothing", "CPU per step", "of nothing")
        load = f"load average {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores"
        return Table("real-training", title, head, rows, goals, f"{versions_of(self.python)}; {load}")


def against(one: dict[str, float], base: dict[str, float], kind: str) -> tuple[str, str]:
    return f"{one[kind] * 1000:.2f} ms", f"{one[kind] / base[kind]:.2f} x"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=130)
    add_options(parser)
    options = parser.parse_args()
    return 0 if show_all([Bench(options).table], options.markdown) or options.no_goals else 1


if __name__ == "__main__":
    sys.exit(main())
