"""Records the events of one step with a pretended clock, and prints the step as often as wanted.

A `Recorder` notes for every event its text with open slots and where each slot's value comes from. The
`Step` made of it stretches the gaps between successive clock readings by random factors, so that nesting
always holds, and fills the slots.
"""

from contextlib import contextmanager
from itertools import accumulate, chain
from operator import itemgetter, mul, sub

import vocabulary
from kineto_text import kernel_args, literal, operator_inputs

SECTIONS = ("autograd_ops", "main_ops", "memory", "python", "device", "device_annotations")
COMPUTE_STREAM, COMM_STREAM, COPY_STREAM = 7, 24, 20


class Section:
    """A run of events in the file: their text, and for each slot its column and row."""

    def __init__(self):
        self.fragments, self.slots = [], []

    def add(self, text, *slots):
        self.fragments.append(text)
        self.slots += slots

    def seal(self, lengths):
        """Fixes the place of each slot in the columns laid end to end."""
        self.columns = sorted({column for column, _ in self.slots})
        offsets, end = {}, 0
        for column in self.columns:
            offsets[column], end = end, end + lengths[column]
        self.text = "".join(self.fragments)
        self.pick = itemgetter(*(offsets[column] + row for column, row in self.slots))
        self.events = len(self.fragments)
        del self.fragments, self.slots

    def render(self, columns):
        return self.text % self.pick(list(chain.from_iterable(columns[name] for name in self.columns)))


class Recorder:
    def __init__(self, layout, rng, pid, device):
        self.layout, self.rng, self.pid, self.device = layout, rng, pid, device
        self.main, self.autograd, self.watchdog = pid, pid + 97, pid + 61
        self.thread = self.main

        self.gaps = []  # nanoseconds between successive clock readings
        self.begins, self.ends = [], []  # per slice, indices of clock readings
        self.sections = {name: Section() for name in SECTIONS}
        self.counts = dict.fromkeys(("ext", "seq", "py", "frame"), 0)
        self.event_index = dict.fromkeys(SECTIONS, 0)
        self.op_stack, self.frame_stack = [], []
        self.correlations, self.launches, self.bandwidths = [], [], []
        self.next_correlation = 0
        self.annotations = []  # (first launch, last launch) of each device annotation
        self.allocations, self.memory_rows = [], []  # live blocks; (address, bytes, total) per memory event
        self.allocated = 0

    # The clock and the five kinds of event

    def tick(self, ns):
        self.gaps.append(ns)
        return len(self.gaps) - 1

    @contextmanager
    def on_thread(self, thread):
        """Another thread runs while this one waits."""
        before = self.thread, self.op_stack, self.frame_stack
        self.thread, self.op_stack, self.frame_stack = thread, [], []
        yield
        self.thread, self.op_stack, self.frame_stack = before

    @contextmanager
    def slice(self, section, category, name, args, name_slots=(), arg_slots=(), lead=1900, tail=1300):
        row, begin = len(self.begins), self.tick(lead)
        self.begins.append(begin)
        self.ends.append(begin)
        self.sections[section].add(
            self.layout.complete(category, name, self.pid, self.thread, args),
            *name_slots,
            ("ts", begin),
            ("dur", row),
            *arg_slots,
        )
        yield begin
        self.ends[row] = self.tick(tail)

    @contextmanager
    def frame(self, name, module=False, free=False):
        """A Python function; a free frame takes another name from the vocabulary in each step."""
        row = self.counts["py"]
        self.counts["py"] += 1
        parent = ("py", self.frame_stack[-1]) if self.frame_stack else None
        slots = [("py", row)]
        args = '"Python id": %d, '
        if self.thread == self.main:
            args, slots = '"Python parent id": %d, ' + args, [parent or ("root", 0)] + slots
        elif parent:
            args, slots = '"Python parent id": %d, ' + args, [parent] + slots
        else:
            args = '"Python parent id": null, ' + args
        if module:
            args += f'"Python module id": {module - 1}, '
        name_slots = ()
        if free:
            name, name_slots = "%s", (("frame", self.counts["frame"]),)
            self.counts["frame"] += 1
        else:
            name = literal(name)
        with self.slice(
            "python",
            "python_function",
            name,
            args + '"Ev Idx": %d',
            name_slots,
            (*slots, self.next_event("python")),
            lead=420,
            tail=310,
        ):
            self.frame_stack.append(row)
            yield
            self.frame_stack.pop()

    def touch(self, name):
        """A Python function that calls nothing."""
        with self.frame(name):
            pass

    @contextmanager
    def op(self, name, *inputs, record=None, replay=None, category="cpu_op", metadata="", name_slots=()):
        """An operator. `record` is the forward row it undoes, `replay` the row it will be undone by."""
        section = "main_ops" if self.thread == self.main else "autograd_ops"
        row = self.counts["ext"]
        self.counts["ext"] += 1
        slots, sequence = [("ext", row)], ""
        for link, thread in ((record, 1), (replay, 0)):
            if link is not None:
                sequence = f'"Sequence number": %d, "Fwd thread id": {thread}, '
                slots.append(("seq", link))
        args = operator_inputs(inputs)
        ident = '"Record function id": 0, '
        args = ident + sequence + args if not args else sequence + ident + args
        args = '"External id": %d,' + metadata + args + '"Ev Idx": %d'
        with self.slice(
            section,
            category,
            literal(name) if not name_slots else name,
            args,
            name_slots,
            (*slots, self.next_event(section)),
        ) as begin:
            if record is not None and not name.startswith("autograd::"):
                self.flow(section, "f", "fwdbwd", ("flow", record), ("ts", begin))
                self.unpack()
            if replay is not None:
                self.flow(section, "s", "fwdbwd", ("flow", replay), ("ts", begin))
                self.pack()
            self.op_stack.append(row)
            yield begin
            self.op_stack.pop()

    def pack(self):
        """Saves a tensor for backward, through checkpointing's hook."""
        with self.frame("torch/utils/checkpoint.py(1053): pack_hook"):
            if self.rng.random() < 0.5:
                self.touch(f"<built-in method detach of Tensor object at {vocabulary.address(self.rng)}>")
            self.touch("<built-in function len>")
            self.touch(f"<built-in method get of dict object at {vocabulary.address(self.rng)}>")
            self.touch("torch/utils/checkpoint.py(596): _internal_assert")
            self.touch("weakref.py(427): __setitem__")

    def unpack(self):
        with self.frame("torch/utils/checkpoint.py(1110): unpack_hook"):
            self.touch(f"<built-in method get of dict object at {vocabulary.address(self.rng)}>")
            self.touch("torch/utils/checkpoint.py(596): _internal_assert")
            if self.rng.random() < 0.5:
                self.touch(f"<built-in method pop of dict object at {vocabulary.address(self.rng)}>")

    def flow(self, section, phase, name, ident, ts):
        self.sections[section].add(self.layout.flow(phase, name, self.pid, self.thread), ident, ts)

    def next_event(self, section):
        row = self.event_index[section]
        self.event_index[section] += 1
        return (section + "_ev", row)

    def memory(self, size, address):
        self.allocated += size
        row = len(self.memory_rows)
        self.memory_rows.append((address, size, self.allocated))
        self.sections["memory"].add(
            self.layout.instant(
                "[memory]",
                self.pid,
                self.thread,
                f'"Total Reserved": 68094525440, "Total Allocated": %d, "Bytes": {size}, "Device Id": {self.device}, '
                '"Device Type": 1, "Addr": %d, "Ev Idx": %d',
            ),
            ("ts", self.tick(300)),
            ("total", row),
            ("addr", row),
            self.next_event("memory"),
        )

    def runtime(self, name, cbid, host_ns, activity=None):
        """A CUDA runtime call, preceded in the file by the device activity it launches."""
        row = len(self.correlations)
        self.next_correlation += self.rng.choice((1, 1, 2, 3, 5))
        self.correlations.append(self.next_correlation)
        external = ("ext", self.op_stack[-1]) if self.op_stack else None
        section = self.sections["device"]
        begin = len(self.gaps)
        if activity:
            category, label, stream, mean_ns, args, slots = activity
            launch = len(self.launches)
            self.launches.append((begin, stream, mean_ns))
            section.add(
                self.layout.complete(category, label, self.device, stream, args),
                ("dts", launch),
                ("ddur", launch),
                external,
                ("corr", row),
                *slots,
            )
            section.add(self.layout.flow("f", "ac2g", self.device, stream), ("corr", row), ("dts", launch))
        args = f'"cbid": {cbid}, "correlation": %d'
        if external:
            args = '"External id": %d,      ' + args
        slots = ([external] if external else []) + [("corr", row)]
        with self.slice("device", "cuda_runtime", name, args, (), slots, lead=1200, tail=host_ns):
            pass
        self.flow("device", "s" if activity else "f", "ac2g", ("corr", row), ("ts", begin))

    # What operators do on the device

    def kernel(self, name, elements, mean_ns, stream=COMPUTE_STREAM, extra=""):
        block = vocabulary.block_of(name)
        grid = (max(1, min(65535, elements // (block[0] * 8))), 1 + len(name) % 3, 1)
        args = kernel_args(grid, block, vocabulary.registers_of(name), vocabulary.shared_memory_of(name), stream, extra)
        if "gemm" in name:
            self.runtime("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", 277, 700)
        launch = ("cudaLaunchKernelExC", 430) if "gemm" in name or "nccl" in name else ("cudaLaunchKernel", 211)
        self.runtime(
            *launch, 2800, ("kernel", literal(name), stream, mean_ns, args.replace("{device}", str(self.device)), ())
        )

    def copy(self, kind, size, mean_ns, stream=COMPUTE_STREAM):
        launch = len(self.launches)
        category, call = (
            ("gpu_memset", ("cudaMemsetAsync", 51)) if "Memset" in kind else ("gpu_memcpy", ("cudaMemcpyAsync", 41))
        )
        self.bandwidths.append((launch, size))
        args = (
            f'"External id": %d,      "device": {self.device}, "context": 1,      "stream": {stream}, '
            f'"correlation": %d,      "bytes": {size}, "memory bandwidth (GB/s)": %s'
        )
        self.runtime(*call, 3100, (category, kind, stream, mean_ns, args, (("bw", len(self.bandwidths) - 1),)))

    def allocate(self, tensor):
        self.runtime("cudaStreamIsCapturing", 317, 400)
        address = 0x7F2A00000000 + 512 * self.rng.randrange(1 << 24)
        self.allocations.append((address, tensor.bytes))
        self.memory(tensor.bytes, address)

    def release(self):
        if self.allocations:
            address, size = self.allocations.pop()
            self.memory(-size, address)

    def annotate(self, name, first_launch):
        """The device side of a user annotation: from its first to its last activity on the compute stream."""
        launches = [row for row in range(first_launch, len(self.launches)) if self.launches[row][1] == COMPUTE_STREAM]
        row = len(self.annotations)
        self.annotations.append((launches[0], launches[-1]))
        text = self.layout.complete("gpu_user_annotation", name, self.device, COMPUTE_STREAM, '"External id": %d')
        slots = [("ats", row), ("adur", row), ("ext", 0)]
        if "%d" in name:
            slots.insert(0, ("step", 0))
        self.sections["device_annotations"].add(text, *slots)


class Step:
    """Prints the recorded step again and again; `columns_for` gives the values of one repetition."""

    def __init__(self, builder):
        self.gaps = builder.gaps
        self.nominal = sum(self.gaps)
        self.begin_of, self.end_of = itemgetter(*builder.begins), itemgetter(*builder.ends)
        self.counts = builder.counts
        self.correlations, self.correlation_span = builder.correlations, builder.next_correlation
        self.launches, self.bandwidths, self.annotations = builder.launches, builder.bandwidths, builder.annotations
        self.memory_rows = builder.memory_rows
        self.event_index = builder.event_index
        self.sections = builder.sections
        lengths = dict(
            self.counts,
            ts=len(self.gaps),
            dur=len(builder.begins),
            flow=self.counts["seq"],
            root=1,
            step=1,
            corr=len(self.correlations),
            dts=len(self.launches),
            ddur=len(self.launches),
            bw=len(self.bandwidths),
            ats=len(self.annotations),
            adur=len(self.annotations),
            total=len(self.memory_rows),
            addr=len(self.memory_rows),
            **{name + "_ev": count for name, count in self.event_index.items()},
        )
        for section in self.sections.values():
            section.seal(lengths)

    def clock(self, start, factors):
        """Clock readings in nanoseconds: the gaps stretched by the factors and added up."""
        return list(accumulate(map(int, map(mul, self.gaps, factors)), initial=start))[1:]

    def columns_for(self, section, clock, bases, draw, streams):
        columns = {
            "ts": [ns / 1000 for ns in clock],
            "dur": [ns / 1000 for ns in map(sub, self.end_of(clock), self.begin_of(clock))],
            "root": (2,),
            "step": (bases["step"],),
        }
        for name in ("ext", "seq", "py"):
            columns[name] = range(bases[name], bases[name] + self.counts[name])
        columns["flow"] = range(bases["seq"], bases["seq"] + self.counts["seq"])
        columns[section + "_ev"] = range(bases["ev"], bases["ev"] + self.event_index[section])
        if section == "python":
            columns["frame"] = draw.choices(vocabulary.FRAMES, k=self.counts["frame"])
        elif section == "memory":
            shift = 2_097_152 * draw.randrange(4096)
            resident = 31_000_000_000 + 512 * draw.randrange(1 << 20)
            columns["addr"] = [address + shift for address, _, _ in self.memory_rows]
            columns["total"] = [resident + total for _, _, total in self.memory_rows]
        elif section.startswith("device"):
            columns["corr"] = [bases["corr"] + offset for offset in self.correlations]
            starts, durations = self.device_times(clock, draw, streams)
            columns["dts"] = [ns / 1000 for ns in starts]
            columns["ddur"] = [ns / 1000 for ns in durations]
            columns["bw"] = [size / durations[launch] for launch, size in self.bandwidths]
            spans = [(starts[first] - 1, starts[last] + durations[last] + 1) for first, last in self.annotations]
            columns["ats"] = [begin / 1000 for begin, _ in spans]
            columns["adur"] = [(end - begin) / 1000 for begin, end in spans]
        return columns

    def device_times(self, clock, draw, streams):
        """Each activity starts after its launch and after the one before it on its stream."""
        starts, durations = [], []
        jitter = iter(draw.choices(range(820, 1220), k=3 * len(self.launches)))
        for launch, stream, mean in self.launches:
            start = max(clock[launch] + 3 * next(jitter), streams.get(stream, 0) + next(jitter))
            duration = mean * next(jitter) // 1000
            starts.append(start)
            durations.append(duration)
            streams[stream] = start + duration
        return starts, durations
