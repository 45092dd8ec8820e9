from collections.abc import Iterator
from pathlib import Path

import pytest

from serve.served import Served

ROOT = Path(__file__).resolve().parents[2]
TRACE = ROOT / "examples/traces/small_cnn.json.gz"


@pytest.fixture(scope="module")
def served(skyline_binary: Path) -> Iterator[Served]:
    """One for all tests of a file: none of them may harm it."""
    with Served(skyline_binary, [TRACE]) as served:
        yield served
        with served.page() as page:  # it has survived them
            assert page.result("hello")["traces"]
