#!/usr/bin/env python3
"""Writes a large training trace in Kineto's own text layout, the same bytes for the same options.

    generate_kineto.py --raw-bytes 1000000000 --seed 1 -o big.json.gz

Only the standard library is used, and memory stays flat: as in a real file the events stand in sections
(operators of the autograd thread, of the main thread, memory, Python functions, device activities), and each
section is a pass over all steps that repeats the same random clock.
"""

import argparse
import json
import random
import subprocess
import zlib
from pathlib import Path

import kineto_text
from recorder import SECTIONS
from training_step import TrainingStep

BASE_NANOSECONDS = 1767189312000000000
FIRST_NS = 3_743_411_222_578_748  # after the base; below 2**42 us, so %.3f prints every nanosecond exactly
FACTORS = 1 << 16


class Run:
    """All steps of one rank."""

    def __init__(self, raw_bytes, seed, rank, world_size, layout):
        self.layout = kineto_text.LAYOUTS[layout]()
        self.seed, self.rank, self.world_size = seed, rank, world_size
        self.pid = 4200 + 131 * rank
        draw = random.Random(f"{seed} factors {rank}")
        self.factors = [draw.lognormvariate(0, 0.45) * 0.9 + 0.08 for _ in range(FACTORS)] * 2
        layers = 20
        self.kinds = [self.step_kind(0, layers)]
        size = self.size_of(self.kinds[0])
        if raw_bytes < 2 * size:
            layers = max(1, int(layers * raw_bytes / (2 * size)))
            self.kinds = [self.step_kind(0, layers)]
        self.kinds += [self.step_kind(kind, layers) for kind in range(1, min(6, max(1, round(raw_bytes / size))))]
        per_step = sum(map(self.size_of, self.kinds)) / len(self.kinds)
        self.count = max(2, round(raw_bytes / per_step))

    def step_kind(self, kind, layers):
        """Batches differ in length, so steps differ in shapes."""
        rng = random.Random(f"{self.seed} kind {kind}")
        step = TrainingStep(
            self.layout,
            rng,
            self.pid,
            self.rank % 8,
            self.world_size,
            layers,
            batch=rng.choice((4, 8)),
            length=rng.randrange(512, 2049, 64),
        )
        return step.build()

    def size_of(self, kind):
        bases = dict(step=500, ext=1_000_000, seq=100_000, py=1_000_000, corr=1_000_000, ev=2_000_000)
        clock = kind.clock(FIRST_NS, self.factors[: len(kind.gaps)])
        return sum(len(self.render(kind, name, clock, bases, random.Random(0), {})) for name in SECTIONS)

    @staticmethod
    def render(kind, section, clock, bases, draw, streams):
        return kind.sections[section].render(kind.columns_for(section, clock, bases, draw, streams))

    def steps(self, section):
        """(step kind, clock, id bases, random source) of every step, always the same."""
        start = FIRST_NS + 2_000_000
        bases = dict(step=5, ext=1, seq=1, py=3, corr=4000)
        for index in range(self.count):
            kind = self.kinds[index % len(self.kinds)]
            draw = random.Random(f"{self.seed} {self.rank} {index} {section}")
            shift = random.Random(f"{self.seed} {self.rank} {index}").randrange(FACTORS)
            factors = self.factors[shift:] + self.factors[:shift]
            while len(factors) < len(kind.gaps):
                factors += factors
            clock = kind.clock(start, factors)
            yield kind, clock, bases, draw
            # All ranks take the same time for a step, as a collective makes them wait for each other.
            start = max(start + kind.nominal * 11 // 10, clock[-1] + 20_000)
            bases = {**bases, "step": bases["step"] + 1, "corr": bases["corr"] + kind.correlation_span + 2}
            for name in ("ext", "seq", "py"):
                bases[name] += kind.counts[name]

    def text(self):
        """The file, in pieces."""
        yield self.head()
        if self.layout.metadata_first:
            yield self.metadata()
        event = 0
        for section in SECTIONS:
            streams = {}
            if section == "python":
                yield self.root_frames(event)
                event += 2
            for kind, clock, bases, draw in self.steps(section):
                yield self.render(kind, section, clock, {**bases, "ev": event}, draw, streams)
                event += kind.event_index[section]
        if not self.layout.metadata_first:
            yield self.metadata()
        yield self.foot()

    def end(self):
        *_, (_, clock, _, _) = self.steps("end")
        return clock[-1] + 5_000_000

    def head(self):
        layout = self.layout
        metadata = {
            "cupti_version": 26,
            "cuda_runtime_version": 12080,
            "with_stack": 1,
            "record_shapes": 1,
            "profile_memory": 1,
            "cuda_driver_version": 12080,
            "distributedInfo": kineto_text.distributed_info(self.rank, self.world_size),
            "trace_id": f'"{random.Random(f"{self.seed} id").getrandbits(128):032X}"',
            "host_name": '"node0"',
        }
        keys = "".join(layout.head_key % item for item in metadata.items())
        devices = ",".join(kineto_text.device_properties(index) for index in range(8))
        return layout.head % (devices, keys) + layout.head_end % BASE_NANOSECONDS

    def root_frames(self, event):
        begin, duration = FIRST_NS / 1000, (self.end() - FIRST_NS) / 1000
        text = ""
        for index, (name, parent) in enumerate((("train.py(310): <module>", "null"), ("train.py(265): main", "1"))):
            args = f'"Python parent id": {parent}, "Python id": {index + 1}, "Ev Idx": {event + index}'
            template = self.layout.complete("python_function", name, self.pid, self.pid, args)
            text += template % (begin + index, duration - 2 * index)
        return text

    def metadata(self):
        layout, ts, pieces = self.layout, FIRST_NS / 1000, []
        for pid, label, order in [(self.pid, "CPU", self.pid)] + [(d, f"GPU {d}", 5_000_000 + d) for d in range(8)]:
            pieces.append(layout.metadata("process_name", ts, pid, 0, '"name": "python"'))
            pieces.append(layout.metadata("process_labels", ts, pid, 0, f'"labels": "{label}"'))
            pieces.append(layout.metadata("process_sort_index", ts, pid, 0, f'"sort_index": {order}'))
        threads = [(self.rank % 8, stream, f"stream {stream} ") for stream in (7, 20, 24)]
        threads += [
            (self.pid, self.pid + offset, f"thread {self.pid + offset} ({name})")
            for offset, name in ((0, "python"), (97, "pt_autograd_0"), (61, "pt_nccl_watchdg"))
        ]
        for pid, tid, name in threads:
            pieces.append(layout.metadata("thread_name", ts, pid, tid, f'"name": "{name}"'))
            pieces.append(layout.metadata("thread_sort_index", ts, pid, tid, f'"sort_index": {tid}'))
        return "".join(pieces)

    def foot(self):
        ts, end = FIRST_NS / 1000, self.end() / 1000
        name = f"traces/rank{self.rank}.json"
        return self.layout.span(ts, end - ts) + self.layout.window_end(end) + self.layout.tail % name


class Gzip:
    """One gzip member without name or date."""

    def __init__(self, path, level):
        self.file, self.deflate = open(path, "wb"), zlib.compressobj(level, zlib.DEFLATED, 31)

    def write(self, data):
        self.file.write(self.deflate.compress(data))

    def close(self):
        self.file.write(self.deflate.flush())
        self.file.close()


class Zstd:
    """The zstd program does the work; Python 3.11 has none."""

    def __init__(self, path, level):
        self.process = subprocess.Popen(["zstd", "-q", "-f", f"-{level}", "-o", str(path)], stdin=subprocess.PIPE)

    def write(self, data):
        self.process.stdin.write(data)

    def close(self):
        self.process.stdin.close()
        if self.process.wait():
            raise SystemExit("zstd failed")


def generate(output, raw_bytes, seed=1, rank=0, world_size=8, layout="2.12", level=6):
    """Writes the trace; returns its raw bytes and its events. The name's ending chooses the compression."""
    output = Path(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    if output.suffix == ".gz":
        sink = Gzip(output, level)
    elif output.suffix == ".zst":
        sink = Zstd(output, level)
    else:
        sink = open(output, "wb")
    size = events = 0
    for piece in Run(raw_bytes, seed, rank, world_size, layout).text():
        data = piece.encode()
        size += len(data)
        events += data.count(b'"ph": "')
        sink.write(data)
    sink.close()
    return size, events


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", required=True, help="ends with .json.gz, .json.zst or .json")
    parser.add_argument("--raw-bytes", type=int, default=1_000_000_000, help="size before compression, about")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rank", type=int, default=0)
    parser.add_argument("--world-size", type=int, default=8)
    parser.add_argument("--layout", choices=sorted(kineto_text.LAYOUTS), default="2.12", help="torch that writes so")
    parser.add_argument("--level", type=int, default=6, help="compression level")
    options = parser.parse_args()
    size, events = generate(
        options.output,
        options.raw_bytes,
        options.seed,
        options.rank,
        options.world_size,
        options.layout,
        options.level,
    )
    packed = Path(options.output).stat().st_size
    print(json.dumps({"raw_bytes": size, "packed_bytes": packed, "events": events}))


if __name__ == "__main__":
    main()
