"""The collector is built as the program is: see tests/launcher/hardening_test.py."""

import subprocess
import sys

LIBRARY = "from skyline import _build; print(_build.built_collector(_build.this_target()))"


def test_the_collectors_library_is_hardened(environment: dict[str, str]) -> None:
    asked = subprocess.run(
        [sys.executable, "-c", LIBRARY], env=environment, capture_output=True, text=True, check=True, timeout=900
    )
    words = ["readelf", "--wide", "--program-headers", "--dynamic", "--dyn-syms", asked.stdout.strip()]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "GNU_RELRO" in told and "BIND_NOW" in told
    assert "__stack_chk_fail@" in told
