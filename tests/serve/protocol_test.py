"""Every method's answer is what protocol/schema.json says."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from serve.served import Served

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "protocol/schema.json").read_text())

# Params for each method on the small trace; a new method needs a line here.
TRACE = {"trace": "0"}
ASKED: dict[str, list[dict[str, Any]]] = {
    "hello": [{}],
    "open_trace": [TRACE],
    "overview": [TRACE],
    "table": [
        TRACE | {"name": name, "limit": 5}
        for name in ("steps", "ops", "kernels", "stacks", "modules", "lines", "memory")
    ],
    "flame": [TRACE | {"by": "stack", "time": "host"}, TRACE | {"by": "module", "time": "host"}],
    "memory_curve": [TRACE, TRACE | {"points": 10}],
    "memory_peak": [TRACE],
    "breakdown": [TRACE],
    "timeline": [TRACE],
    "tiles": [TRACE | {"level": 17, "index": 0, "tracks": [0]}],
    "counter_tiles": [TRACE | {"level": 17, "index": 0, "counters": []}],
    "slice": [TRACE | {"slice": 0}],
    "search": [TRACE | {"text": "conv"}, TRACE | {"text": "conv", "limit": 1}],
    "range": [TRACE | {"start_ns": 0, "end_ns": 50_000_000, "tracks": [0]}],
    "sources": [TRACE],
}
# What only a session or several traces can answer; here they say so.
OF_A_SESSION = {
    "run": {},
    "sources": {},
    "source": {"path": "model.py"},
    "edit": {"save": 1, "batch_size": 8},
    "apply": {"save": 1, "batch_size": 8, "file_hash": ""},
    "unsaved": {"is_unsaved": True},
    "output": {},
    "profile_again": {},
    "cancel_profile": {},
}


def errors(type_name: str, value: Any) -> list[str]:
    validator = Draft202012Validator({"$ref": f"#/$defs/{type_name}", "$defs": SCHEMA["$defs"]})
    return [f"{'/'.join(map(str, error.path))}: {error.message[:200]}" for error in validator.iter_errors(value)]


def test_the_schema_notices_what_is_wrong() -> None:
    assert errors("Problem", {"sentence": "fine"}) == []
    assert errors("Problem", {}) and errors("Problem", {"sentence": 1}) and errors("Problem", {"sentence": "", "x": 1})


def test_every_method_is_asked_here() -> None:
    assert set(ASKED) | set(OF_A_SESSION) == set(SCHEMA["methods"])


@pytest.mark.parametrize("method", ASKED)
def test_answers_are_as_the_schema_says(served: Served, method: str) -> None:
    types = SCHEMA["methods"][method]
    with served.page() as page:
        for params in ASKED[method]:
            assert errors(types["params"], params) == []
            result = page.result(method, **params)
            if types["result"] == "binary":
                assert isinstance(result, bytes) and len(result) >= 16
            else:
                assert errors(types["result"], result) == []


@pytest.mark.parametrize("method", OF_A_SESSION)
def test_what_only_a_session_can_do_is_refused_with_a_sentence(served: Served, method: str) -> None:
    with served.page() as page:
        answer = page.ask(method, **OF_A_SESSION[method])
    assert errors("Problem", answer["error"]) == []
    assert "there is no method" not in answer["error"]["sentence"]


@pytest.mark.parametrize("method", SCHEMA["methods"])
def test_wrong_params_are_refused_with_a_sentence(served: Served, method: str) -> None:
    with served.page() as page:
        answer = page.ask(method, trace=[7], path={}, save="x", is_unsaved="x", points=[])
    if "error" in answer:
        assert errors("Problem", answer["error"]) == []
    else:
        assert SCHEMA["methods"][method]["params"] == "Nothing"


def test_a_trace_that_is_not_open_is_refused(served: Served) -> None:
    with served.page() as page:
        for method, params in ASKED.items():
            if "trace" in params[0]:
                assert page.ask(method, **params[0] | {"trace": "99"})["error"]["sentence"], method


def test_hello_says_what_is_served(served: Served) -> None:
    with served.page() as page:
        hello = page.result("hello")
    assert (hello["protocol"], hello["door"]) == (SCHEMA["version"], "traces")
    assert [(trace["id"], trace["name"]) for trace in hello["traces"]] == [("0", "small_cnn.json.gz")]


def test_a_run_and_what_is_told_of_it_are_as_the_schema_says(skyline_binary: Path) -> None:
    ranks = ROOT / "tests/golden/report_of_ranks_shows_the_one_that_computes_least/ranks"
    with Served(skyline_binary, [ranks]) as served, served.page() as page:
        assert errors("Hello", page.result("hello")) == []
        assert errors("Traces", page.event("traces", lambda _: True)) == []
        run = page.result("run")
        assert errors("Run", run) == []
        if run["pending"] > 0:
            run = page.event("run", lambda data: data["pending"] == 0)
            assert errors("Run", run) == []
    assert [(rank["trace"], rank["rank"], rank["steps"]) for rank in run["ranks"]] == [
        ("0", 1, 1),
        ("1", 2, 1),
        ("2", 10, 1),
    ]
    assert run["is_one_run"] and run["by_need"] == [2, 1, 0]
