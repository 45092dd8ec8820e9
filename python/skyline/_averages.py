"""key_averages(): the engine's operator table under torch's names, and torch's way to print it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import _binary, _torch_names
from ._error import Error
from ._exports import STACK_METRICS, export_chrome_trace, export_stacks

NUMBER_WIDTH, SPACE = 12, "  "
UNITS_US = {"s": 1e6, "ms": 1e3, "us": 1.0}
MEMORY = "[memory]"  # torch's row for what no operator did
DEVICES = ("cuda", "xpu", "privateuse1")


@dataclass
class OpAverage:
    """One row; times in microseconds, as torch has them."""

    key: str
    count: int
    cpu_time_total: float
    self_cpu_time_total: float
    device_time_total: float
    self_device_time_total: float
    cpu_memory_usage: int = 0
    self_cpu_memory_usage: int = 0
    device_memory_usage: int = 0
    self_device_memory_usage: int = 0
    input_shapes: Any = ""
    flops: int = 0
    overload_name: str = ""
    node_id: int = -1
    is_async: bool = False
    is_legacy: bool = False
    is_remote: bool = False
    is_user_annotation: bool = False
    use_device: str | None = None
    stack: list[str] = field(default_factory=list)

    @property
    def device_type(self) -> Any:
        return cpu_device()

    @property
    def cpu_time(self) -> float:
        return self.cpu_time_total / self.count if self.count else 0.0

    @property
    def device_time(self) -> float:
        return self.device_time_total / self.count if self.count else 0.0

    def __getattr__(self, name: str) -> Any:
        if (general := device_name_free(name)) != name:
            return getattr(self, general)
        if name.endswith("_str") and "time" in name:
            return format_time(getattr(self, name.removesuffix("_str")))
        raise _torch_names.refuse("FunctionEventAvg", name)


def cpu_device() -> Any:
    from torch.profiler import DeviceType

    return DeviceType.CPU


def refuse_groups(group_by_stack_n: int, group_by_overload_name: bool) -> None:
    if group_by_stack_n > 0:
        raise Error("key_averages() does not group by stack; see `skyline show stacks`, lines and modules for that")
    if group_by_overload_name:
        raise Error("overload names are not recorded, so key_averages() cannot group by them")


def device_name_free(name: str) -> str:
    for device in DEVICES:
        name = name.replace(device, "device")
    return name


def row_from_engine(row: dict[str, Any]) -> OpAverage:
    outside = row["calls"] is None  # memory and device work outside of operators
    return OpAverage(
        key=MEMORY if outside else row["name"],
        count=row.get("memory_events") or 0 if outside else row["calls"],
        cpu_time_total=(row["host_total"] or 0) / 1000,
        self_cpu_time_total=(row["host_self"] or 0) / 1000,
        device_time_total=row["device_total"] / 1000,
        self_device_time_total=row["device_self"] / 1000,
        cpu_memory_usage=row.get("host_memory_total") or 0,
        self_cpu_memory_usage=row.get("host_memory_self") or 0,
        device_memory_usage=row.get("device_memory_total") or 0,
        self_device_memory_usage=row.get("device_memory_self") or 0,
        input_shapes=shapes_from_engine(row.get("input_shapes")),
        flops=row.get("flops") or 0,
        is_user_annotation=row["kind"] == "range",
    )


def shapes_from_engine(text: str | None) -> Any:
    """The lists that torch has; a text that is no list stays a text."""
    try:
        return json.loads(text) if text else ""
    except ValueError:
        return text


class OpAverages(list[OpAverage]):
    """What key_averages() gives: rows, the dearest first."""

    def __init__(
        self,
        rows: Iterable[OpAverage],
        profile_memory: bool = False,
        with_flops: bool = False,
        trace: Path | None = None,
    ) -> None:
        super().__init__(rows)
        self.profile_memory, self.with_flops = profile_memory, with_flops
        self.trace = trace

    @property
    def self_cpu_time_total(self) -> float:
        return self._sum("self_cpu_time_total")

    def supported_export_stacks_metrics(self) -> list[str]:
        return list(STACK_METRICS)

    def export_stacks(self, path: str, metric: str) -> None:
        export_stacks(self._trace(), path, metric)

    def export_chrome_trace(self, path: str) -> None:
        export_chrome_trace(self._trace(), path)

    def key_averages(
        self, group_by_input_shapes: bool = False, group_by_stack_n: int = 0, group_by_overload_name: bool = False
    ) -> "OpAverages":
        refuse_groups(group_by_stack_n, group_by_overload_name)
        return key_averages(self._trace(), group_by_input_shapes, self.profile_memory, self.with_flops)

    def _trace(self) -> Path:
        if self.trace is None:
            raise Error("these rows come from no trace")
        return self.trace

    def total_average(self) -> OpAverage:
        names = [name for name, kind in OpAverage.__annotations__.items() if kind in (int, float) and name != "node_id"]
        return OpAverage("Total", **{name: sum(getattr(row, name) for row in self) for name in names})

    def table(
        self,
        sort_by: str | None = None,
        row_limit: int = 100,
        max_src_column_width: int = 75,
        max_name_column_width: int = 55,
        max_shapes_column_width: int = 80,
        header: str | None = None,
        top_level_events_only: bool = False,
        time_unit: str | None = None,
    ) -> str:
        del max_src_column_width, top_level_events_only  # rows have neither source lines nor parents
        rows = list(self)
        if not rows:
            return ""
        if sort_by is not None:
            rows.sort(key=lambda row: getattr(row, device_name_free(sort_by)), reverse=True)
        columns = self._columns(time_unit)
        texts = [[column[1](row) for column in columns] for row in rows[: row_limit if row_limit >= 0 else None]]
        widths = [NUMBER_WIDTH] * len(columns)
        widths[0] = min(max(len(row.key) for row in self) + 4, max_name_column_width)
        if columns[-1][0] == "Input Shapes":
            widths[-1] = min(max(len(str(row.input_shapes)) for row in self) + 4, max_shapes_column_width)
        ruler = "".join("-" * width + SPACE for width in widths)
        lines = [ruler, format_line([column[0] for column in columns], widths), ruler]
        lines += [format_line(cut(text, widths), widths) for text in texts]
        lines += [ruler, f"Self CPU time total: {format_time(self._sum('self_cpu_time_total'), time_unit)}"]
        if self._has_device():
            lines.append(f"Self CUDA time total: {format_time(self._sum('self_device_time_total'), time_unit)}")
        if header is not None:
            lines[:0] = ["=" * (len(ruler) - len(SPACE)), header]
        return "\n".join(lines) + "\n"

    __str__ = table

    def _sum(self, name: str) -> float:
        return float(sum(getattr(row, name) for row in self))

    def _has_device(self) -> bool:
        return any(row.self_device_time_total > 0 for row in self)

    def _columns(self, unit: str | None) -> list[tuple[str, Any]]:
        host, device = self._sum("self_cpu_time_total"), self._sum("self_device_time_total")
        columns: list[tuple[str, Any]] = [
            ("Name", lambda row: row.key),
            ("Self CPU %", lambda row: format_share(row.self_cpu_time_total, host)),
            ("Self CPU", lambda row: format_time(row.self_cpu_time_total, unit)),
            ("CPU total %", lambda row: format_share(row.cpu_time_total, host)),
            ("CPU total", lambda row: format_time(row.cpu_time_total, unit)),
            ("CPU time avg", lambda row: format_time(row.cpu_time, unit)),
        ]
        if self._has_device():
            columns += [
                ("Self CUDA", lambda row: format_time(row.self_device_time_total, unit)),
                ("Self CUDA %", lambda row: format_share(row.self_device_time_total, device)),
                ("CUDA total", lambda row: format_time(row.device_time_total, unit)),
                ("CUDA time avg", lambda row: format_time(row.device_time, unit)),
            ]
        if self.profile_memory:
            columns += [
                ("CPU Mem", lambda row: format_memory(row.cpu_memory_usage)),
                ("Self CPU Mem", lambda row: format_memory(row.self_cpu_memory_usage)),
            ]
            if any(row.device_memory_usage or row.self_device_memory_usage for row in self):
                columns += [
                    ("CUDA Mem", lambda row: format_memory(row.device_memory_usage)),
                    ("Self CUDA Mem", lambda row: format_memory(row.self_device_memory_usage)),
                ]
        columns.append(("# of Calls", lambda row: str(row.count)))
        if self.with_flops:
            columns.append(("Total FLOPs", lambda row: str(row.flops) if row.flops else "--"))
        if any(row.input_shapes for row in self):
            columns.append(("Input Shapes", lambda row: str(row.input_shapes)))
        return columns


def format_line(texts: list[str], widths: list[int]) -> str:
    return "".join(f"{text:>{width}}{SPACE}" for text, width in zip(texts, widths))


def cut(texts: list[str], widths: list[int]) -> list[str]:
    """Names that are too long end in dots, shapes just end."""
    name = texts[0]
    if len(name) > widths[0] - 3 and len(name) + 4 > widths[0]:
        name = name[: widths[0] - 3] + "..."
    return [name, *(text[:width] for text, width in zip(texts[1:], widths[1:]))]


def format_time(time_us: float, unit: str | None = None) -> str:
    unit = unit or ("s" if time_us >= 1e6 else "ms" if time_us >= 1e3 else "us")
    return f"{time_us / UNITS_US.get(unit, 1.0):.3f}{unit}"


def format_share(time_us: float, total_us: float) -> str:
    return f"{100 * time_us / total_us:.2f}%" if total_us else "NaN"


def format_memory(size_bytes: int) -> str:
    for unit, exponent in (("GB", 30), ("MB", 20), ("KB", 10)):
        if abs(size_bytes) >= 1 << exponent:
            return f"{size_bytes / (1 << exponent):.2f} {unit}"
    return f"{size_bytes} B"


def key_averages(trace: Path, by_shape: bool, profile_memory: bool, with_flops: bool) -> OpAverages:
    grouping = ["--group-by", "shape"] if by_shape else []
    answer = _binary.ask_json("show", "ops", trace, "--ranges", *grouping, "--top", "0")
    rows = [row_from_engine(row) for rank in answer["ranks"] for row in rank["rows"]]
    return OpAverages(rows, profile_memory, with_flops, trace)
