"""The generator makes what it promises, so that agreement on its traces means something."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from oracle.dump import dump
from oracle.figures import figures_of
from oracle.slow_reader import trace_of
from property.eras import ERAS, Era
from property.generate import clean, generate

SEEDS = range(60)


def test_the_same_seed_gives_the_same_bytes() -> None:
    assert all(generate(seed) == generate(seed) for seed in SEEDS)


def test_every_promised_oddity_occurs() -> None:
    raw = b"".join(map(generate, SEEDS))
    for oddity in (
        b"\\uD800",
        b"\\uDFFF",
        b"\xff",
        b"E+",
        b"e-3",
        b'he said \\"{[',
        b"\\u0000",
        b"overruled",
        b"\\/",
        b"340282366920938463463374607431768211456",
        b'"args": {}',
        b"\r\n",
        b'\\"traceEvents\\": [',
        b"baseTimeNanoseconds",
        b"Operator",
        b"gpu_user_Annotation",
        b"xpu_runtime",
        b"mtia_ccp_events",
    ):
        assert oddity in raw, oddity


def test_every_kind_of_line_and_link_occurs() -> None:
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        for line in dump(trace_of(generate(seed))):
            fields = line.split("\t")
            seen[fields[0]] += 1
            for field in fields[8:]:
                key, _, value = field.partition("=")
                seen[f"{key}=-" if value == "-" else key] += 1
                seen[field] += key == "lane"
    for kind in ("slice", "memory", "counter", "step", "launch", "launch=-", "op", "op=-", "fwd", "lane=2", "dims"):
        assert seen[kind] >= 10, (kind, seen)


def test_correlation_ids_repeat_across_processes() -> None:
    def ambiguous(seed: int) -> bool:
        calls = [s for s in trace_of(generate(seed)).slices if s.category in ("runtime", "driver")]
        return len({s.correlation for s in calls}) < len({(s.correlation, s.pid) for s in calls})

    assert sum(map(ambiguous, SEEDS)) >= 5


def test_shift_and_shuffle_change_the_bytes_but_no_figure_of_the_oracle() -> None:
    for seed in SEEDS:
        raw = generate(seed)
        for other in (generate(seed, shift_us=977), generate(seed, shuffle=True)):
            assert other != raw or len(trace_of(raw).slices) < 2
            assert figures_of(trace_of(other)) == figures_of(trace_of(raw))


@pytest.mark.parametrize("era", ERAS, ids=lambda era: era.name)
def test_every_era_is_plain_json_with_linked_kernels(era: Era) -> None:
    raw = clean(era, seed=2)
    document = json.loads(raw)
    assert isinstance(document, list) == era.array
    figures = figures_of(trace_of(raw))
    assert figures["device.activities"] > figures["device.unlinked"] > 0
