"""How each torch version would have written a program: its words, its ids, its times, its envelope.

The table below has one line per layout that exists in the wild; `events_of` turns a program into events, which are
lists of (key, value) so that order and repetition can be had.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from property.program import Did, Moment, Program
from property.text import Object, Raw

MODERN = {
    "runtime": "cuda_runtime",
    "driver": "cuda_driver",
    "memcpy": "gpu_memcpy",
    "memset": "gpu_memset",
    "device_other": "mtia_ccp_events",
    "sync": "cuda_sync",
    "profiler_range": "cuda_profiler_range",
    "trace_span": "Trace",
    "other": "something_new",
}
FIRST = {  # torch 1.8 to 1.11
    "cpu_op": "Operator",
    "user_annotation": "User",
    "runtime": "Runtime",
    "driver": "Runtime",
    "kernel": "Kernel",
    "memcpy": "Memcpy",
    "memset": "Memset",
    "trace_span": "Trace",
}
XPU = MODERN | {"runtime": "xpu_runtime", "driver": "xpu_driver", "sync": "xpu_sync"}
MTIA = MODERN | {"runtime": "mtia_runtime", "kernel": "mtia_ccp_events"}
PRIVATE = MODERN | {"runtime": "privateuse1_runtime", "driver": "privateuse1_driver"}
TYPO = MODERN | {"gpu_user_annotation": "gpu_user_Annotation"}


@dataclass(frozen=True)
class Era:
    name: str
    layout: str  # see text.LAYOUTS
    categories: dict[str, str]
    times: str  # whole_us, relative_ns or absolute_ns
    base: str = "none"  # where baseTimeNanoseconds stands: none, before, after
    external_id: str = "External id"
    dims: str = "Input Dims"
    text_ids: bool = False  # ids of threads written as text
    array: bool = False  # no envelope
    info_lines: bool = False
    arrow: tuple[str, str] = ("fwdbwd", "fwdbwd")
    launch_arrow: tuple[str, str] = ("ac2g", "ac2g")


ERAS = (
    Era(
        "torch_1_8",
        "kineto",
        FIRST,
        "whole_us",
        external_id="external id",
        dims="Input dims",
        text_ids=True,
        arrow=("forward_backward", "fwd_bwd"),
        launch_arrow=("async", "launch"),
    ),
    Era(
        "torch_1_9",
        "kineto",
        FIRST,
        "whole_us",
        text_ids=True,
        arrow=("forward_backward", "fwd_bwd"),
        launch_arrow=("async", "launch"),
    ),
    Era("torch_1_12_typo", "kineto", TYPO, "whole_us", launch_arrow=("async_cpu_to_gpu", "async_gpu")),
    Era("torch_2_0", "kineto", MODERN, "whole_us"),
    Era("nightly_spring_2024", "kineto", MODERN, "absolute_ns", info_lines=True),
    Era("torch_2_4", "kineto", MODERN, "relative_ns", base="after"),
    Era("torch_2_8", "kineto", MODERN, "relative_ns", base="before"),
    Era("intel", "kineto", XPU, "relative_ns", base="before"),
    Era("mtia", "kineto", MTIA, "relative_ns", base="before"),
    Era("private_backend", "kineto", PRIVATE, "relative_ns", base="before"),
    Era("written_again_by_python", "spaced", MODERN, "relative_ns", base="before"),
    Era("written_again_pretty", "indented", MODERN, "relative_ns", base="after"),
    Era("written_again_compact", "compact", MODERN, "whole_us"),
    Era("one_event_per_line", "lines", MODERN, "relative_ns", base="after"),
    Era("without_kineto", "spaced", MODERN, "whole_us", array=True),
)


def start_ns(era: Era) -> int:
    return {"whole_us": 1661203462598738000, "absolute_ns": 1712195495519689047, "relative_ns": 4203669604595407}[
        era.times
    ]


def tick_ns(era: Era) -> int:
    return 1000 if era.times == "whole_us" else 1


def time_text(era: Era, ns: int) -> Raw:
    return Raw(ns // 1000) if era.times == "whole_us" else Raw(f"{ns // 1000}.{ns % 1000:03}")


def id_value(era: Era, text: str) -> Any:
    is_number = text.removeprefix("-").isdigit()
    return Raw(text) if is_number and not era.text_ids else text


def events_of(program: Program, era: Era) -> list[Object]:
    events = [slice_event(era, did) for did in program.did]
    for number, (origin, backward) in enumerate(program.arrows, start=1):
        events += [arrow_event(era, "s", number, origin, era.arrow), arrow_event(era, "f", number, backward, era.arrow)]
    for did in program.did:
        if did.kind in ("runtime", "driver"):
            events.append(arrow_event(era, "f", did.facts["correlation"], did, era.launch_arrow))
    events += [moment_event(era, moment) for moment in program.moments]
    events += metadata(era, program)
    return events


def slice_event(era: Era, did: Did) -> Object:
    return Object(
        [
            ("ph", "X"),
            ("cat", era.categories.get(did.kind, did.kind)),
            ("name", did.name),
            ("pid", id_value(era, did.pid)),
            ("tid", id_value(era, did.tid)),
            ("ts", time_text(era, did.start_ns)),
            ("dur", time_text(era, did.dur_ns)),
            ("args", args_of(era, did)),
        ]
    )


def args_of(era: Era, did: Did) -> Object:
    facts = did.facts
    args = Object()
    for fact, key in (
        ("external_id", era.external_id),
        ("sequence", "Sequence number"),
        ("fwd_thread", "Fwd thread id"),
        ("device", "device"),
        ("stream", "stream"),
        ("correlation", "correlation"),
        ("dims", era.dims),
        ("types", "Input type"),
        ("collective", "Collective name"),
    ):
        if fact == "types" and fact in facts:  # compared as written, so written in one way only
            args.append((key, [Raw(json.dumps(word)) for word in facts[fact]]))
        elif fact in facts:
            args.append((key, facts[fact]))
    if "sequence" in facts and "fwd_thread" not in facts:
        args.append(("Fwd thread id", 0))
    if did.kind == "kernel":
        args += [("blocks per SM", Raw("0.5925926")), ("grid", [64, 1, 1]), ("est. achieved occupancy %", 31)]
    return args


def arrow_event(era: Era, phase: str, number: object, did: Did, words: tuple[str, str]) -> Object:
    event = Object(
        [
            ("ph", phase),
            ("id", number),
            ("pid", id_value(era, did.pid)),
            ("tid", id_value(era, did.tid)),
            ("ts", time_text(era, did.start_ns)),
            ("cat", words[0]),
            ("name", words[1]),
        ]
    )
    if phase == "f":
        event.append(("bp", "e"))
    return event


def moment_event(era: Era, moment: Moment) -> Object:
    place = [
        ("pid", id_value(era, moment.pid)),
        ("tid", id_value(era, moment.tid)),
        ("ts", time_text(era, moment.at_ns)),
        ("args", Object(moment.facts.items())),
    ]
    if moment.kind == "counter":
        return Object([("ph", "C"), ("cat", "hardware_counters"), ("name", moment.name), *place])
    category = [] if era.categories is FIRST else [("cat", "cpu_instant_event")]
    return Object([("ph", "i"), *category, ("s", "t"), ("name", moment.name), *place])


def metadata(era: Era, program: Program) -> list[Object]:
    first = time_text(era, min((did.start_ns for did in program.did), default=start_ns(era)))
    processes = sorted({did.pid for did in program.did})
    events = [
        Object(
            [
                ("name", "process_name"),
                ("ph", "M"),
                ("ts", first),
                ("pid", id_value(era, pid)),
                ("tid", 0),
                ("args", Object([("name", "python")])),
            ]
        )
        for pid in processes
    ]
    return [
        *events,
        Object(
            [
                ("name", "Record Window End"),
                ("ph", "i"),
                ("s", "g"),
                ("pid", ""),
                ("tid", ""),
                ("ts", time_text(era, start_ns(era) + 10**12)),
            ]
        ),
    ]


def envelope(era: Era) -> tuple[Object, Object]:
    """What stands before and after traceEvents."""
    before = Object(
        [
            ("schemaVersion", 1),
            (
                "deviceProperties",
                [
                    Object(
                        [("id", 0), ("name", "NVIDIA A100-SXM4-40GB"), ("totalGlobalMem", 42505273344), ("numSms", 108)]
                    )
                ],
            ),
        ]
    )
    before.append(("distributedInfo", Object([("backend", "nccl"), ("rank", 0), ("world_size", 2)])))
    after = Object([("traceName", "/tmp/trace.json")])
    if era.info_lines:
        after.insert(0, ("INFO", ['INFO:2024-04-03 18:51:35 1102:1102 Profiler.cpp:954] Tracing "starts" in 6s']))
    if era.base != "none":
        base = [("displayTimeUnit", "ms"), ("baseTimeNanoseconds", 1735632360000000000)]
        (before if era.base == "before" else after).extend(base)
    return before, after
