"""A small made-up training run: who did what when. How a torch version would have written it is not decided here."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

OPS = ("aten::linear", "aten::addmm", "aten::t", "aten::relu", "aten::copy_", "aten::empty", "c10d::allreduce_")
CALLS = (
    "cudaLaunchKernel",
    "cudaMemcpyAsync",
    "cudaMemsetAsync",
    "cuLaunchKernel",
    "hipLaunchKernel",
    "cudaStreamSynchronize",
    "cudaGraphLaunch",
)
KERNELS = (
    "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float> >(int, float)",
    "ampere_sgemm_128x64_tn",
    "triton_poi_fused_add_cos_sin_0",
    "hipblas_gemm",
    "void dmaless::kernel()",
    "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
    "ncclKernel_SendRecv",
    "RCCL_broadcast",
    "void dpsk::ep::internode::dispatch<8>()",
    "one_shot_all_reduce_kernel",
    "gridSync_reduce",
    "Memcpy_like_kernel",
    "hcclAllReduce",
)


@dataclass
class Did:
    """Something with a beginning and an end on one thread or stream."""

    kind: str  # a word of the model: cpu_op, kernel, …
    pid: str
    tid: str
    start_ns: int
    dur_ns: int
    name: str
    facts: dict[str, object] = field(default_factory=dict)

    @property
    def end_ns(self) -> int:
        return self.start_ns + self.dur_ns


@dataclass
class Moment:
    """An allocation or a counter sample."""

    kind: str  # memory or counter
    pid: str
    tid: str
    at_ns: int
    name: str
    facts: dict[str, object]


@dataclass
class Program:
    did: list[Did] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    arrows: list[tuple[Did, Did]] = field(default_factory=list)  # forward op -> backward op


class Simulation:
    def __init__(self, rng: random.Random, tick_ns: int, start_ns: int) -> None:
        self.rng, self.tick_ns, self.start_ns = rng, tick_ns, start_ns
        self.program = Program()
        self.external_id = 0
        self.span = rng.randint(40, 4000)  # of one step, in ticks

    def run(self) -> Program:
        rng = self.rng
        for process in range(rng.choice((1, 1, 2, 3))):
            self.run_process(str(rng.choice((7, 10, 4711, 1102)) * 10 + process), device=str(rng.choice((process, 0))))
        self.strange_slices()
        self.moments()
        return self.program

    def add(self, kind: str, pid: str, tid: str, begin: int, ticks: int, name: str, **facts: object) -> Did:
        """Times in ticks since the run began."""
        at_ns = self.start_ns + begin * self.tick_ns
        did = Did(kind, pid, tid, at_ns, max(0, ticks) * self.tick_ns, name, dict(facts))
        self.program.did.append(did)
        return did

    def next_external_id(self) -> int:
        self.external_id += 1
        return self.external_id

    def run_process(self, pid: str, device: str) -> None:
        rng = self.rng
        main, backward, helper = pid, str(int(pid) + 88), str(int(pid) + 9)
        streams = rng.sample(("7", "20", "21", "0"), rng.randint(1, 3))
        self.correlation = rng.choice((0, 0, 1000 * int(pid)))  # ids of processes may or may not collide
        sequence = rng.choice((0, 5))
        begin = rng.randint(0, 30)
        for step in range(rng.choice((0, 1, 2, 3))):
            number = 10 + step
            width = self.span + rng.randint(0, 9)
            self.add(
                "user_annotation",
                pid,
                main,
                begin,
                width,
                f"ProfilerStep#{number}",
                external_id=self.next_external_id(),
            )
            if rng.random() < 0.5:
                self.add("gpu_user_annotation", device, streams[0], begin + 3, width, f"ProfilerStep#{number}")
            begin += self.run_step(pid, main, helper, backward, device, streams, begin, width, sequence)
            sequence += 8
        if rng.random() < 0.3:
            self.run_step(pid, main, helper, backward, device, streams, begin + 5, self.span, sequence)

    def run_step(
        self,
        pid: str,
        main: str,
        helper: str,
        backward: str,
        device: str,
        streams: list[str],
        begin: int,
        width: int,
        sequence: int,
    ) -> int:
        """Forward on one or two threads, then backward on another; returns how far the clock moved."""
        rng = self.rng
        half = max(4, width // 2)
        forward = self.ops(pid, main, begin, half, 0, device, streams)
        if rng.random() < 0.4:
            forward += self.ops(pid, helper, begin, half, 0, device, streams)
        for op in forward:
            if rng.random() < 0.6:
                op.facts["sequence"] = sequence + rng.randint(0, 7)
        numbered = [op for op in forward if "sequence" in op.facts]
        for op in self.ops(pid, backward, begin + half, half, 1, device, streams):
            if not numbered or rng.random() < 0.4:
                continue
            origin = rng.choice(numbered)
            op.facts |= {"sequence": origin.facts["sequence"], "fwd_thread": 1 if origin.tid == main else 2}
            if rng.random() < 0.4:
                self.program.arrows.append((origin, op))
        return width + rng.randint(0, 5)

    def ops(self, pid: str, tid: str, begin: int, width: int, depth: int, device: str, streams: list[str]) -> list[Did]:
        """Operators one after the other in a stretch of a thread, each with its children; now and then one that
        does not nest."""
        rng = self.rng
        made: list[Did] = []
        at = begin
        while at < begin + width and len(self.program.did) < 400:
            ticks = rng.choice((0, 1, rng.randint(0, max(1, width)), width))
            if rng.random() > 0.1:  # else it sticks out
                ticks = min(ticks, begin + width - at)
            kind = rng.choice(("cpu_op",) * 6 + ("user_annotation", "python_function"))
            op = self.add(kind, pid, tid, at, ticks, rng.choice(OPS), external_id=self.next_external_id())
            if kind == "cpu_op":
                made.append(op)
                if rng.random() < 0.5:
                    op.facts |= {
                        "dims": rng.choice(([[]], [[5, 128], [], [1]], [[[2, 2], [3]], []])),
                        "types": rng.choice(([""], ["float", "long int", "Scalar"], ["TensorList", ""])),
                    }
            if depth < 4 and ticks > 2 and rng.random() < 0.6:
                inset = rng.randint(0, 1)
                made += self.ops(pid, tid, at + inset, ticks - inset, depth + 1, device, streams)
            elif rng.random() < 0.6:
                self.launch(pid, tid, at, ticks, device, rng.choice(streams), op)
            at += max(1, ticks) + rng.randint(-1, 3) if rng.random() < 0.9 else 1
        return made

    def launch(self, pid: str, tid: str, at: int, ticks: int, device: str, stream: str, op: Did) -> None:
        rng = self.rng
        self.correlation += 1
        correlation = self.correlation
        facts = {"correlation": correlation, "external_id": op.facts["external_id"]}
        kind = rng.choice(("runtime", "runtime", "driver"))
        if rng.random() < 0.9:  # else the call was before the window
            self.add(kind, pid, tid, at, rng.randint(0, max(1, ticks)), rng.choice(CALLS), **facts)
        for _ in range(rng.choice((0, 1, 1, 1, 1, 4))):
            begin = at + rng.choice((-1, 0, 1, rng.randint(0, 60)))
            facts["stream"], facts["device"] = int(stream), int(device)
            kind, name = rng.choice(
                (("kernel", rng.choice(KERNELS)),) * 5
                + (
                    ("memcpy", "Memcpy HtoD (Pinned -> Device)"),
                    ("memset", "Memset (Device)"),
                    ("device_other", rng.choice(("dma_copy", "fc_kernel"))),
                )
            )
            did = self.add(kind, device, stream, begin, rng.choice((0, 1, rng.randint(1, 90))), name, **facts)
            if rng.random() < 0.1:
                did.facts["collective"] = "allreduce"
            if rng.random() < 0.05:
                del did.facts["correlation"]

    def strange_slices(self) -> None:
        rng = self.rng
        for _ in range(rng.randint(0, 6)):
            kind = rng.choice(("other", "overhead", "sync", "cuda_event", "profiler_range", "trace_span"))
            pid, tid = rng.choice((("Spans", "PyTorch Profiler"), ("-1", "0"), ("", ""), ("0", "7"), ("0", "1000007")))
            self.add(kind, pid, tid, rng.randint(0, 50), rng.randint(0, self.span), f"strange {kind}")

    def moments(self) -> None:
        rng = self.rng
        for _ in range(rng.choice((0, 0, 5))):
            bytes_ = rng.choice((-1, 1)) * rng.randint(1, 2**33)
            facts: dict[str, object] = {"Device Type": 1, "Device Id": 0, "Bytes": bytes_}
            if rng.random() < 0.7:
                facts |= {"Addr": rng.randint(1, 2**62), "Total Allocated": 2**40, "Total Reserved": 2**41}
            self.program.moments.append(Moment("memory", "71", "71", self.some_time(), "[memory]", facts))
        for _ in range(rng.choice((0, 0, 4))):
            facts = {"busy": rng.randint(0, 9), "GB/s": rng.choice((0.5, 12.25, -3))}
            self.program.moments.append(Moment("counter", "0", "0", self.some_time(), "GPU 0 counters", facts))

    def some_time(self) -> int:
        return self.start_ns + self.rng.randint(0, self.span) * self.tick_ns


def separate(program: Program, tick_ns: int) -> None:
    """Steps never start at the same time, nor do calls with one correlation id: which comes first is not defined."""
    taken: set[tuple[object, int]] = set()
    for did in program.did:
        if did.kind in ("runtime", "driver") or did.name.startswith("ProfilerStep#"):
            group = did.facts.get("correlation", "steps")
            while (group, did.start_ns) in taken:
                did.start_ns += tick_ns
            taken.add((group, did.start_ns))


def simulate(rng: random.Random, tick_ns: int, start_ns: int) -> Program:
    program = Simulation(rng, tick_ns, start_ns).run()
    separate(program, tick_ns)
    return program
