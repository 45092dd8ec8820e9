"""Stacks of programs that call, return, yield and resume at random are those that Python itself tells."""

from pathlib import Path

PROGRAM = """
import functools, random, sys, threading

import pytest

pytestmark = pytest.mark.copied

def note(into):
    frame, stack = sys._getframe(1), []
    while frame is not None and len(stack) < 512:
        stack.append(f"{frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_qualname}")
        frame = frame.f_back
    into.append("\\t".join(stack))
    return 1

class Walk:
    def __init__(self, op, seed):
        self.op, self.random = functools.partial(op, torch.ones(1)), random.Random(seed)
        self.left, self.noted, self.suspended = 0, [], []
        self.moves = [self.small, self.large, self.resume, self.twice, self.made, self.several]

    def move(self, depth):
        self.left -= 1
        if self.left < 0 or depth > self.limit: return self.op(note(self.noted))
        self.random.choice(self.moves)(depth + 1)

    def small(self, depth):
        self.op(note(self.noted)); self.op(note(self.noted))
        self.move(depth)
        self.op(note(self.noted))

    def large(self, depth):  # a frame of another size, so that those inside it stand elsewhere
        a, b, c, d, e, f, g, h = range(8)
        self.move(depth)
        return [self.op(note(self.noted)) for _ in range(a, c)], b, d, e, f, g, h

    def several(self, depth):
        for _ in range(self.random.randrange(4)):
            self.move(depth)

    def twice(self, depth):  # equal frames but for the line that calls them
        times = self.random.randrange(12)
        self.again(times)
        self.again(times); self.again(times)
        self.move(depth)

    def again(self, times):
        self.op(note(self.noted)) if times <= 0 else self.again(times - 1)

    def deep(self, left):  # down past 512 frames, and back
        if left < 70 and left % 3 == 0: self.op(note(self.noted))
        if left > 0: self.deep(left - 1)
        if left < 70 and left % 7 == 0: self.op(note(self.noted))

    def generate(self):
        while True:
            yield self.op(note(self.noted))
            yield from (self.op(note(self.noted)) for _ in range(2))

    def resume(self, depth):  # generators that others have begun, in other places
        if not self.suspended or self.random.random() < 0.3: self.suspended.append(self.generate())
        next(self.random.choice(self.suspended))
        if self.random.random() < 0.1: self.suspended.pop(0)

    def made(self, depth):  # functions that are gone when they return
        scope = {"self": self, "note": note}
        exec(compile("def f(depth):\\n  self.op(note(self.noted))\\n  self.move(depth)", __file__, "exec"), scope)
        scope.pop("f")(depth)

    def walk(self):
        self.deep(550)
        for self.limit in (5, 40, 80):
            self.left = 1500
            while self.left > 0: self.move(0)

walks = [Walk(op, seed) for seed, op in enumerate((torch.add, torch.mul, torch.pow))]
sys.setrecursionlimit(20_000)
with skyline.profile("out.skyline", with_stack=True):
    others = [threading.Thread(target=walk.walk) for walk in walks[1:]]
    for thread in others: thread.start()
    walks[0].walk()
    for thread in others: thread.join()
for walk in walks:
    print("= next walk")
    print(*walk.noted, sep="\\n")
"""


def test_stacks_are_those_that_python_tells(script, dump, tmp_path: Path) -> None:
    told = [walk.splitlines() for walk in script(PROGRAM).stdout.split("= next walk\n")[1:]]
    recorded: dict[str, list[str]] = {"add": [], "mul": [], "pow": []}  # one operator per thread
    for line in dump(tmp_path / "out.skyline", "--python"):
        kind, name, _, *stack = line.split("\t")
        short = name.strip('"').removeprefix("aten::")
        is_own = bool(stack) and stack[0].startswith(str(tmp_path))
        if kind == "op" and is_own and short in recorded:
            recorded[short].append("\t".join(stack))
    assert len(told) == 3 and all(len(walk) > 3000 for walk in told)
    for walk, stacks in zip(told, recorded.values(), strict=True):
        assert len(stacks) == len(walk)
        wrong = [(i, a, b) for i, (a, b) in enumerate(zip(walk, stacks, strict=True)) if a != b]
        assert not wrong, f"{len(wrong)} of {len(walk)}; the first: {wrong[0]}"
