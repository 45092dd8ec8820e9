"""Events from an engine's answer written by hand."""

from skyline._events import events_of


def call(number: int, name: str, start: int, duration: int, parent: int | None = None, **more: object) -> dict:
    usual = {"kind": "operator", "thread": "7", "host_self": duration, "sequence": None, "forward_thread": 0}
    memory = {"host_memory_total": 64, "host_memory_self": 0}
    place = {"call": number, "name": name, "start": start, "duration": duration, "parent": parent}
    return {**place, **usual, **memory, "input_shapes": "[[2,3],[]]", "stack": None, **more}


def test_events_know_their_parents_and_children() -> None:
    outer, inner = events_of([call(0, "aten::linear", 2000, 5000), call(1, "aten::addmm", 3000, 1000, 0)], {})
    assert inner.cpu_parent is outer
    assert outer.cpu_children == [inner]
    assert (outer.cpu_time_total, outer.time_range.start, outer.thread, outer.sequence_nr) == (5.0, 2.0, 7, -1)
    assert (outer.input_shapes, outer.cpu_memory_usage, outer.key) == ([[2, 3], []], 64, "aten::linear")


def test_stacks_begin_with_the_innermost_frame() -> None:
    stacks = {3: ["b.py(2): g", "a.py(1): f"]}
    (event,) = events_of([call(0, "aten::mm", 0, 1, stack=3, kind="range", sequence=5)], stacks)
    assert event.stack == ["b.py(2): g", "a.py(1): f"]
    assert (event.is_user_annotation, event.sequence_nr) == (True, 5)
