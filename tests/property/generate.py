"""Small nasty traces from a seed: `PYTHONPATH=tests python3 -m property.generate SEED`.

A made-up program is written as some torch version would have written it, then spoilt in ways that JSON and the
format allow: names full of quotes and broken Unicode, numbers in odd notations, repeated keys, keys in any order.
The same seed gives the same bytes; shifting its clock or shuffling its events changes nothing else.
"""

from __future__ import annotations

import random
import sys
from typing import Any

from property import eras, text
from property.program import Program, simulate
from property.text import FIRST_RAW_BYTE, Object, Raw

NASTY_NAMES = (
    'he said "{[',
    "a\\b\\",
    ']}, {"ph": "X"',
    "tab\there",
    "new\nline",
    "\u0000nul",
    "/slash/",
    "",
    "\\u0041",
    "caf\u00e9 \u4e16\u754c",
    "\U0001f525 fire",
    "lone \ud800 high",
    "lone \udfff low",
    "\udc00\ud800",
    "ProfilerStep",
    "bytes " + chr(FIRST_RAW_BYTE + 0xFF),
    "cut " + chr(FIRST_RAW_BYTE + 0xE2) + chr(FIRST_RAW_BYTE + 0x82),
    '"traceEvents": [',
)
UNKNOWN_ARGS = (
    ("Call stack", 'file.py(3): f;"<built-in {[method]}>";\\'),
    ("", ""),
    ("Addr", Raw("340282366920938463463374607431768211456")),
    ("kernel_kwargs", Object([("correlation", 99), ("args", Object([("ts", 1)]))])),
    ("empty", Object()),
    ("nested", [[[], Object([("]", "}")])], True, False, None]),
    ("occupancy", Raw("1e-7")),
    ("inf", "inf"),
    ("finished", False),
    ("Input Strides", [[128, 1]]),
    ("External Id", 5),
    ("Correlation", 6),
)
DECOYS = (
    ("note", '{"traceEvents": [{"ph": "X"}]}'),
    ("metadata", Object([("traceEvents", []), ("n", Raw("1E5"))])),
    ("ERROR", ["]", "}", '"']),
    ("PT_PROFILER_JOB_ID", "42"),
    ("with_stack", 1),
    ("x", None),
)

UNUSABLE = [Object(), Object([("ph", "M")]), Object([("name", "no phase")])] + [
    Object([("ph", "X"), ("cat", "kernel"), ("name", "no such time"), ("pid", 0), ("tid", 7), *times])
    for times in (
        [],
        [("ts", 5)],
        [("dur", 5)],
        [("ts", Raw("1e300")), ("dur", 1)],
        [("ts", Raw("NaN")), ("dur", 1)],
        [("ts", 5), ("dur", -1)],
        [("ts", 5), ("dur", None)],
        [("ts", "soon"), ("dur", 1)],
    )
]


class Generator:
    def __init__(self, seed: int, shift_us: int = 0, shuffle: bool = False) -> None:
        self.rng = rng = random.Random(seed)
        self.shift_us, self.shuffle = shift_us, shuffle
        self.era = rng.choice(eras.ERAS)
        self.layout = rng.choice((self.era.layout, *text.LAYOUTS))
        self.array = self.era.array or rng.random() < 0.1
        self.odd_numbers, self.odd_keys, self.odd_names, self.odd_order = (rng.random() < 0.4 for _ in range(4))
        self.escapes = rng.choice((0.0, 0.0, 0.02, 0.3))

    def trace(self) -> bytes:
        rng, era = self.rng, self.era
        program = simulate(rng, eras.tick_ns(era), eras.start_ns(era))
        self.spoil_names(program)
        events = [self.spoilt(event) for event in eras.events_of(program, era)]
        if rng.random() < 0.3:
            events += UNUSABLE
        rng.shuffle(events)
        before, after = self.spoilt_envelope()
        writer = text.Writer(random.Random(rng.random()), self.escapes)
        if self.shuffle:
            events = shuffled_slices(events, random.Random(rng.random()))
        return text.document(before, events, after, self.layout, self.array, writer)

    def spoil_names(self, program: Program) -> None:
        for did in program.did:
            if self.odd_names and self.rng.random() < 0.3:
                did.name = self.rng.choice(NASTY_NAMES)

    def spoilt(self, event: Object) -> Object:
        rng = self.rng
        spoilt = Object(event)
        if ("ph", "C") not in event:  # every arg of a counter is a sample
            spoilt = Object((key, self.spoilt_value(key, value)) for key, value in event)
        if self.odd_keys and rng.random() < 0.3:
            key = rng.choice(("name", "ts", "dur", "cat", "ph", "pid"))
            spoilt.insert(0, (key, rng.choice(("overruled", Raw("17"), Object(), []))))
            if not any(k == key for k, _ in event):
                del spoilt[0]
        if self.odd_order and not has_repeated_keys(spoilt):
            rng.shuffle(spoilt)
        return spoilt

    def spoilt_value(self, key: str, value: Any) -> Any:
        rng = self.rng
        if key in ("ts", "dur"):
            return self.time_notation(value, key == "ts")
        if key in ("pid", "tid") and self.odd_keys and isinstance(value, Raw) and rng.random() < 0.3:
            return str(value)
        if key == "args" and self.odd_numbers:
            value = Object((k, self.integer_notation(v)) for k, v in value)
        if key == "args" and self.odd_keys:
            args = Object(value)
            if rng.random() < 0.4:
                args.insert(rng.randint(0, len(args)), rng.choice(UNKNOWN_ARGS))
            if args and rng.random() < 0.2:
                place = rng.choice((0, len(args)))  # before what it repeats, or behind it
                args.insert(place, (rng.choice(args)[0], rng.choice((Raw("77"), Raw('"text"'), [], None))))
            return args
        return value

    def time_notation(self, value: Raw, moves: bool) -> Raw:
        """The same time in other digits. The dice fall the same way whatever the time is."""
        kind, digit = self.rng.choice(("as is", "short", "exponent", "science", "finer")), self.rng.randint(1, 9)
        whole, _, fraction = value.partition(".")
        whole = str(int(whole) + (self.shift_us if moves else 0))
        plain = f"{whole}.{fraction}" if fraction else whole
        if not self.odd_numbers or kind == "as is":
            return Raw(plain)
        if kind == "short":
            return Raw(plain.rstrip("0").rstrip(".") if fraction else plain + ".0")
        if kind == "exponent":
            return Raw(f"{int(whole + fraction.ljust(3, '0'))}e-3")
        if kind == "science":
            digits = whole + fraction
            return Raw(f"{digits[0]}.{digits[1:] or '0'}E+{len(whole) - 1:02}")
        return Raw(f"{whole}.{fraction.ljust(3, '0')}{digit}")

    def integer_notation(self, value: Any) -> Any:
        kind = self.rng.choice(("as is",) * 6 + ("text", "exponent", "science"))
        if type(value) is not int or value <= 0 or kind == "as is":
            return value
        digits = str(value)
        return {
            "text": Raw(f'"{digits}"'),
            "exponent": Raw(f"{value}0e-1"),
            "science": Raw(f"{digits[0]}.{digits[1:] or '0'}E{len(digits) - 1}"),
        }[kind]

    def spoilt_envelope(self) -> tuple[Object, Object]:
        before, after = eras.envelope(self.era)
        for decoy in self.rng.sample(DECOYS, self.rng.choice((0, 0, 2))):
            (before if self.rng.random() < 0.5 else after).append(decoy)
        if self.rng.random() < 0.2:
            before, after = Object(), Object([*before, *after])
        return before, after


def has_repeated_keys(event: Object) -> bool:
    return len({key for key, _ in event}) < len(event)


def shuffled_slices(events: list[Object], rng: random.Random) -> list[Object]:
    """Complete events change places with each other; everything else stays where it is."""
    places = [i for i, event in enumerate(events) if dict(event).get("ph") == "X"]
    moved = rng.sample(places, len(places))
    result = list(events)
    for place, origin in zip(places, moved):
        result[place] = events[origin]
    return result


def generate(seed: int, shift_us: int = 0, shuffle: bool = False) -> bytes:
    return Generator(seed, shift_us, shuffle).trace()


def clean(era: eras.Era, seed: int) -> bytes:
    """A trace as that version itself would have written it."""
    program = simulate(random.Random(seed), eras.tick_ns(era), eras.start_ns(era))
    before, after = eras.envelope(era)
    return text.document(before, eras.events_of(program, era), after, era.layout, era.array, text.Writer())


if __name__ == "__main__":
    sys.stdout.buffer.write(generate(int(sys.argv[1])))
