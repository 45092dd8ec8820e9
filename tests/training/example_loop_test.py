"""The loops of torch.profiler's documentation, with nothing changed but the import."""

import gzip
import json
from pathlib import Path

import pytest

MODEL = """
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 14 * 14, 2))
    inputs = torch.randn(2, 3, 16, 16)
"""

ANNOUNCED = """
    from skyline import profile, schedule
    def trace_handler(p):
        print("ready", p.step_num)
        print(p.key_averages().table(sort_by="self_cpu_time_total", row_limit=10))
    with profile(schedule=schedule(wait=1, warmup=1, active=2), on_trace_ready=trace_handler) as p:
        for idx in range(8):
            model(inputs)
            p.step()
"""


def test_the_announced_loop_runs_with_only_the_import_changed(script) -> None:
    lines = script(MODEL + ANNOUNCED).stdout.splitlines()
    assert [line for line in lines if line.startswith("ready")] == ["ready 4", "ready 8"]
    assert sum("aten::mkldnn_convolution" in line or "aten::thnn_conv2d" in line for line in lines) >= 2
    assert sum(line.startswith("Self CPU time total: ") for line in lines) == 2


def test_its_table_has_torchs_columns_and_counts(script) -> None:
    torchs = script(MODEL + ANNOUNCED.replace("skyline", "torch.profiler")).stdout.splitlines()
    ours = script(MODEL + ANNOUNCED).stdout.splitlines()
    assert [line.split() for line in torchs if "Self CPU %" in line] == [
        line.split() for line in ours if "Self CPU %" in line
    ]

    def calls(lines: list[str]) -> dict[str, str]:
        return {line.split()[0]: line.split()[-1] for line in lines if line.strip().startswith("aten::convolution")}

    assert calls(ours) == calls(torchs) != {}


def test_steps_are_recorded_with_their_numbers(script, ask, tmp_path: Path) -> None:
    script(
        MODEL
        + """
    from skyline import profile, schedule, trace_handler
    plan = schedule(skip_first=1, wait=1, warmup=1, active=2, repeat=1)
    with profile(schedule=plan, on_trace_ready=trace_handler("traces", "w")) as p:
        for idx in range(8):
            model(inputs)
            p.step()
    """
    )
    (trace,) = (tmp_path / "traces").iterdir()
    assert trace.name.startswith("w.") and trace.suffix == ".skyline"
    (rank,) = ask("show", "steps", trace)["ranks"]
    assert [row["step"] for row in rank["rows"]] == [3, 4]


def test_rows_have_torchs_attributes(script) -> None:
    script(
        MODEL
        + """
    with skyline.profile(record_shapes=True) as p:
        model(inputs)
        model(inputs)
    rows = {row.key: row for row in p.key_averages()}
    conv = rows["aten::conv2d"]
    assert conv.count == 2
    assert conv.cpu_time_total >= conv.self_cpu_time_total > 0
    assert conv.cpu_time == conv.cpu_time_total / 2
    shaped = {(row.key, str(row.input_shapes)): row.count for row in p.key_averages(group_by_input_shape=True)}
    assert shaped["aten::conv2d", "[[2, 3, 16, 16], [4, 3, 3, 3], [4], [], [], [], []]"] == 2, shaped
    """
    )


def test_a_chrome_trace_can_be_exported(script, skyline_binary, tmp_path: Path) -> None:
    done = script(
        MODEL
        + """
    with skyline.profile() as p:
        model(inputs)
    for name in ("out.json", "out.json", "out.json.gz", "out"):
        p.export_chrome_trace(name)
    """,
        check=False,
    )
    if "no command 'convert'" in done.stderr:
        pytest.skip("this build has no `skyline convert`")
    assert done.returncode == 0, done.stderr
    for text in (
        (tmp_path / "out.json").read_bytes(),
        (tmp_path / "out").read_bytes(),
        gzip.decompress((tmp_path / "out.json.gz").read_bytes()),
    ):
        assert "aten::conv2d" in {event["name"] for event in json.loads(text)["traceEvents"]}


def test_torchs_own_schedule_is_understood(script) -> None:
    script(
        MODEL
        + """
    done = []
    schedule = torch.profiler.schedule(wait=0, warmup=1, active=1, repeat=2)
    with skyline.profile(schedule=schedule, on_trace_ready=done.append) as p:
        for _ in range(5):
            model(inputs)
            p.step()
    assert len(done) == 2
    """
    )
