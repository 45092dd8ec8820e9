import sys
from collections.abc import Iterator

import pytest


@pytest.fixture
def own_imports(monkeypatch) -> Iterator[None]:
    """What a test imports from its own files is forgotten afterwards."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    known = set(sys.modules)
    yield
    for name in set(sys.modules) - known:
        del sys.modules[name]
