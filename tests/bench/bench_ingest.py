#!/usr/bin/env python3
"""Measures reading a trace against its peers in the same run, and holds the result to the goals.

    bench_ingest.py                      1 GB raw: one core and two cores against gzip + orjson.loads
    bench_ingest.py --scaling            time per event from 10 MB to 2 GB
    bench_ingest.py --ranks 8            a folder of ranks against its files one by one
    bench_ingest.py --again              the second open, from the cache
    bench_ingest.py --figures            all named figures of about 1 M events
    bench_ingest.py --peers hta,tracelens,perfetto
    bench_ingest.py --markdown docs/performance.md   also writes the tables there

Exit code 1 when a goal is missed, unless --no-goals.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import peers
from measure import CommandFailed, Contender, Measured, cores, interleaved, run_once
from tables import Table, at_least, at_most, show_all

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
GENERATOR = ("generate_kineto.py", "kineto_text.py", "recorder.py", "training_step.py", "vocabulary.py")
GENERATOR_HASH = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in GENERATOR)).hexdigest()
MB = 1_000_000
SCALING_SIZES = (10 * MB, 30 * MB, 100 * MB, 300 * MB, 1000 * MB, 2000 * MB)
FIGURES_SIZE = 290 * MB  # about a million events
PEERS_SIZE = 216 * MB


@dataclass(frozen=True)
class Trace:
    path: Path
    raw_bytes: int
    events: int


class Bench:
    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.binary = options.binary.resolve()
        self.data = options.data.resolve()
        self.venvs = ROOT / "build/bench-venv"
        version = subprocess.run([self.binary, "--version"], capture_output=True, text=True, check=True)
        self.versions = f"{version.stdout.strip().splitlines()[0]}, Python {sys.version.split()[0]}"

    def trace(self, raw_bytes: int, rank: int = 0, world_size: int = 1, folder: str = "") -> Trace:
        """A generated trace, kept for the next run as long as the generator stays the same."""
        options = [f"--raw-bytes={raw_bytes}", f"--seed={self.options.seed}", f"--layout={self.options.layout}"]
        options += [f"--rank={rank}", f"--world-size={world_size}"]
        path = self.data / folder / f"kineto-{raw_bytes // MB}mb-rank{rank}.json.gz"
        note = self.data / "about" / f"{folder}-{path.name}.json"
        if not (
            path.exists() and note.exists() and json.loads(note.read_text())["made_by"] == [GENERATOR_HASH, *options]
        ):
            print(f"generating {path.name}", file=sys.stderr)
            command = [sys.executable, HERE / "generate_kineto.py", "-o", path, *options]
            about = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_text(json.dumps({**about, "made_by": [GENERATOR_HASH, *options]}))
        about = json.loads(note.read_text())
        return Trace(path, about["raw_bytes"], about["events"])

    def skyline(self, name: str, *arguments: object, on: int = 1, **environment: str) -> Contender:
        line = [str(self.binary), *map(str, arguments), "--format", "json"]
        return Contender(name, line, cores(on), {"SKYLINE_CACHE_BYTES": "0", **environment})

    def measure(self, contenders: list[Contender]) -> dict[str, Measured]:
        return interleaved(contenders, self.options.rounds, lambda line: print(line, file=sys.stderr))

    # One bench per question

    def ingest(self) -> Table:
        trace = self.trace(self.options.size)
        results = self.measure(
            [
                peers.contender(peers.BASELINE, self.venvs, trace.path),
                self.skyline("skyline, one core", "info", trace.path),
                self.skyline("skyline, two cores", "info", trace.path, on=2),
            ]
        )
        base, one, two = results.values()
        memory = one.peak_bytes / trace.raw_bytes
        goals = [
            at_least("one core against gzip + orjson.loads", base.best / one.best, 10),
            at_least("two cores against gzip + orjson.loads", base.best / two.best, 16),
            at_most("peak memory as a share of the raw size, one core", memory, 0.5),
            at_most("peak memory as a share of the raw size, two cores", two.peak_bytes / trace.raw_bytes, 0.5),
        ]
        title = f"Reading {about(trace)} to a linked model"
        return Table(
            "ingest",
            title,
            *comparison(results, base, trace),
            goals,
            f"{self.versions}, {peers.BASELINE.requirement}",
        )

    def peers(self, names: list[str]) -> Table:
        trace, small = self.trace(PEERS_SIZE), self.trace(MB)
        contenders = [self.skyline("skyline, one core", "info", trace.path)]
        missing, versions = [], [self.versions]
        for peer in (peers.BASELINE, *(peers.PEERS[name] for name in names)):
            try:
                candidate = peers.contender(peer, self.venvs, small.path)
                run_once(candidate, Measured())
            except CommandFailed as failure:
                missing.append(f"{peer.label} does not run here: {peer.hint or failure}")
                continue
            contenders.append(peers.contender(peer, self.venvs, trace.path))
            versions.append(peer.requirement)
        results = self.measure(contenders)
        head, rows = comparison(results, results[peers.BASELINE.label], trace)
        title = f"Reading {about(trace)}, one core, against other tools"
        return Table("peers", title, head, rows, [], ", ".join(versions), missing)

    def scaling(self) -> Table:
        rows, per_event = [], []
        for size in SCALING_SIZES:
            trace = self.trace(size)
            results = self.measure(
                [
                    self.skyline("one core", "info", trace.path),
                    self.skyline("two cores", "info", trace.path, on=2),
                ]
            )
            one, two = results.values()
            per_event.append(one.best / trace.events * 1e9)
            rows.append(
                (
                    f"{trace.raw_bytes / MB:.0f} MB",
                    f"{trace.events}",
                    f"{one.best:.3f} s",
                    f"{per_event[-1]:.0f} ns",
                    f"{two.best:.3f} s",
                    f"{two.best / trace.events * 1e9:.0f} ns",
                    f"{one.peak_bytes / MB:.0f} MB",
                    f"{one.peak_bytes / trace.raw_bytes:.2f}",
                )
            )
        head = ("raw size", "events", "one core", "per event", "two cores", "per event", "peak memory", "of raw size")
        growth = per_event[-1] / min(per_event)
        goals = [at_most("time per event of the largest file against the best", growth, 1.2)]
        return Table("scaling", "Time per event stays flat", head, rows, goals, self.versions)

    def ranks(self, count: int) -> Table:
        size = self.options.rank_size
        folder = f"ranks-{count}x{size // MB}mb"
        traces = [self.trace(size, rank, count, folder) for rank in range(count)]
        singles = [self.skyline(f"rank {rank}", "info", t.path, on=2) for rank, t in enumerate(traces)]
        together = self.skyline("folder", "info", self.data / folder, on=2)
        results = self.measure([together, *singles])
        whole = results.pop("folder")
        alone = sum(result.best for result in results.values())
        single_peak = max(result.peak_bytes for result in results.values())
        raw = sum(trace.raw_bytes for trace in traces)
        rows = [
            (f"{count} files one by one", f"{alone:.2f} s", f"{single_peak / MB:.0f} MB", f"{single_peak / raw:.3f}"),
            ("the folder", f"{whole.best:.2f} s", f"{whole.peak_bytes / MB:.0f} MB", f"{whole.peak_bytes / raw:.3f}"),
        ]
        goals = [
            at_most("folder against the sum of its files", whole.best / alone, 1.1),
            at_most(
                "peak memory of the folder against one file, two ranks in flight", whole.peak_bytes / single_peak, 2.2
            ),
        ]
        title = f"A folder of {count} ranks of {size / MB:.0f} MB raw each, two cores"
        head = ("", "time (best)", "peak memory", "of the folder's raw size")
        return Table("ranks", title, head, rows, goals, self.versions)

    def again(self) -> Table:
        """The second time, from the copy in the cache, which the first time has made."""
        trace = self.trace(self.options.size)
        cache = self.data / "cache"
        shutil.rmtree(cache, ignore_errors=True)
        kept = {"XDG_CACHE_HOME": str(cache), "SKYLINE_CACHE_BYTES": str(4 << 30)}
        rows, goals = [], []
        for command in ("info", "report"):
            first = self.skyline(f"{command}, first time", command, trace.path, on=2)
            again = self.skyline(f"{command}, again", command, trace.path, on=2, **kept)
            run_once(again, Measured())  # makes the copy
            results = self.measure([first, again])
            rows += [(name, f"{result.best:.3f} s", f"{result.median:.3f} s") for name, result in results.items()]
            if results[first.name].output != results[again.name].output:
                raise CommandFailed(f"{command} says something else the second time")
            goals.append(at_most(f"{command} again, in seconds", results[again.name].best, 0.3))
        copy = sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())
        title = f"Opening {about(trace)} again, two cores; the copy takes {copy / MB:.1f} MB"
        return Table("again", title, ("", "best", "median"), rows, goals, self.versions)

    def figures(self) -> Table:
        trace = self.trace(FIGURES_SIZE)
        contender = self.skyline("report", "report", trace.path, SKYLINE_TIMINGS="1")
        best: dict[str, int] = {}
        for number in range(self.options.rounds):
            measured = Measured()
            run_once(contender, measured)
            timings = json.loads(measured.output)["ranks"][0].get("timings")
            if not timings:
                raise CommandFailed("report printed no timings")
            print(f"round {number + 1}: {timings}", file=sys.stderr)
            best = {name: min(value, best.get(name, value)) for name, value in timings.items()}
        rows = [(name.removesuffix("_ns"), f"{value / 1e6:.1f} ms") for name, value in sorted(best.items())]
        goals = [at_most("verdict and all named figures after ingest, in milliseconds", best["digest_ns"] / 1e6, 50)]
        title = f"All named figures of {trace.events} events, one core"
        return Table("figures", title, ("", "time (best)"), rows, goals, self.versions)


def comparison(
    results: dict[str, Measured], base: Measured, trace: Trace
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    head = ("reader", "best", "median", "raw MB/s", "speed", "peak memory", "of raw size")
    rows = [
        (
            name,
            f"{result.best:.2f} s",
            f"{result.median:.2f} s",
            f"{trace.raw_bytes / MB / result.best:.0f}",
            f"{base.best / result.best:.2f} x",
            f"{result.peak_bytes / MB:.0f} MB",
            f"{result.peak_bytes / trace.raw_bytes:.2f}",
        )
        for name, result in results.items()
    ]
    return head, rows


def about(trace: Trace) -> str:
    packed = trace.path.stat().st_size
    return f"{trace.raw_bytes / MB:.0f} MB of JSON ({packed / MB:.1f} MB gzip, {trace.events / 1e6:.2f} M events)"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--size", type=int, default=1000 * MB, help="raw bytes of the main comparison")
    parser.add_argument("--scaling", action="store_true")
    parser.add_argument("--ranks", type=int, metavar="N")
    parser.add_argument("--rank-size", type=int, default=1000 * MB, help="raw bytes of each rank")
    parser.add_argument("--figures", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--peers", metavar="NAMES", help=f"some of {','.join(peers.PEERS)}")
    parser.add_argument("--layout", default="2.12", help="torch whose text layout is generated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--binary", type=Path, default=ROOT / "build/release/bin/skyline")
    parser.add_argument("--data", type=Path, default=ROOT / "build/bench-data", help="where generated traces are kept")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    parser.add_argument("--no-goals", action="store_true", help="exit 0 even when a goal is missed")
    options = parser.parse_args()
    if not options.binary.exists():
        parser.error(f"{options.binary} does not exist; build it with ./skyline --version")
    unknown = set((options.peers or "").split(",")) - {"", *peers.PEERS}
    if unknown:
        parser.error(f"no peer named {', '.join(sorted(unknown))}")
    return options


def main() -> int:
    options = parse_arguments()
    bench = Bench(options)
    asked = []
    if options.scaling:
        asked.append(bench.scaling)
    if options.ranks:
        asked.append(lambda: bench.ranks(options.ranks))
    if options.again:
        asked.append(bench.again)
    if options.figures:
        asked.append(bench.figures)
    if options.peers:
        asked.append(lambda: bench.peers([name for name in options.peers.split(",") if name]))

    try:
        all_met = show_all(asked or [bench.ingest], options.markdown)
    except CommandFailed as failure:
        print(failure, file=sys.stderr)
        return 2
    return 0 if all_met or options.no_goals else 1


if __name__ == "__main__":
    sys.exit(main())
