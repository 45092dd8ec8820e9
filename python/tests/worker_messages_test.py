"""Both ends of protocol/worker.protocol."""

import inspect

import pytest

from skyline import _worker_messages
from skyline.worker import COMMANDS, Worker


@pytest.mark.parametrize("name", _worker_messages.COMMANDS)
def test_worker_takes_the_fields_of_every_command(name: str) -> None:
    fields = tuple(inspect.signature(COMMANDS[name]).parameters)
    assert fields == ("self", *_worker_messages.COMMANDS[name])
    assert COMMANDS[name] is getattr(Worker, name)


def test_answer_is_named_after_its_type() -> None:
    literal = _worker_messages.BatchLiteral("e.py", 32, 4, 6, 1, 4, 6, "ab")
    files = [_worker_messages.SourceFileHash("e.py", "ab")]
    answer = _worker_messages.as_answer(
        _worker_messages.Loaded(32, literal, "", "cpu", 0, files, [], False, 0, 32, "", 0, "")
    )
    assert list(answer) == ["loaded"]
    assert answer["loaded"]["literal"]["end_byte"] == 6
    assert answer["loaded"]["files"] == [{"path": "e.py", "sha256": "ab"}]
    error = _worker_messages.WorkerError("", 0, "no")
    assert _worker_messages.as_answer(error) == {"error": {"path": "", "line": 0, "sentence": "no"}}
