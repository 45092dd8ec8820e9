"""One process of bench_sampling.py: a program that is sampled. Prints one JSON object."""

import argparse
import json
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from skyline import _build


def sampled(collector: ModuleType, hz: int, duration_s: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        collector.sampling_begin(Path(folder), "bench", hz, {})
        time.sleep(duration_s)
        wall_s = time.monotonic() - began
        outcome: dict[str, Any] = collector.sampling_end()
    if outcome["trouble"]:
        raise SystemExit(outcome["trouble"])
    return outcome | {"wall_s": wall_s}


def cost(collector: ModuleType, options: argparse.Namespace) -> dict[str, Any]:
    """One thread that works, so many frames deep, beside the main one, which sleeps."""
    is_over = False

    def work(depth: int) -> int:
        if depth > 1:
            return work(depth - 1)
        count = 0
        while not is_over:
            count += 1
        return count

    thread = threading.Thread(target=work, args=(options.depth,))
    thread.start()
    answer = sampled(collector, options.hz, options.seconds)
    is_over = True
    thread.join()
    return answer


def churn(collector: ModuleType, options: argparse.Namespace) -> dict[str, Any]:
    """Threads, code objects, exceptions, generators and forks that come and go, until there are so many samples."""
    is_over = False
    random.seed(17)

    def deep(depth: int) -> int:
        return deep(depth - 1) if depth else sum(range(20))

    def raises(depth: int) -> None:
        if not depth:
            raise ValueError
        raises(depth - 1)

    def new_code(number: int) -> None:
        names: dict[str, Any] = {}
        text = f"def f(x):\n  return [x for _ in range({number % 9})]"
        exec(compile(text, f"<{number % 97}>", "exec"), names)
        names["f"](5)

    def exceptions(_: int) -> None:
        try:
            raises(random.randrange(40))
        except ValueError:
            pass

    def threads(_: int) -> None:
        thread = threading.Thread(target=deep, args=(random.randrange(200),))
        thread.start()
        thread.join()

    def generators(_: int) -> None:
        list(x for x in (y for y in range(50)))

    def forks(_: int) -> None:
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        time.sleep(0.02)

    def again_and_again(one: Callable[[int], None]) -> None:
        number = 0
        while not is_over:
            one(number)
            number += 1

    kinds = (new_code, exceptions, threads, generators, forks)
    running = [threading.Thread(target=again_and_again, args=(one,)) for one in kinds]
    for thread in running:
        thread.start()
    total = {"samples": 0, "torn": 0, "cost_ns": 0, "wall_s": 0.0}
    while total["samples"] < options.samples:
        outcome = sampled(collector, options.hz, options.round)
        total = {name: value + outcome[name] for name, value in total.items()}
    is_over = True
    for thread in running:
        thread.join()
    return total


QUESTIONS = {question.__name__: question for question in (cost, churn)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("question", choices=QUESTIONS)
    parser.add_argument("--hz", type=int, default=100)
    parser.add_argument("--depth", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--samples", type=int, default=1_000_000)
    parser.add_argument("--round", type=float, default=5, help="seconds of each recording of churn")
    options = parser.parse_args()
    answer = QUESTIONS[options.question](_build.load_collector(), options)
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
