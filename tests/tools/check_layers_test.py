"""check_layers.py must find each kind of violation: planted one by one into a small clean tree."""

from pathlib import Path

import pytest

from check_layers import violations

CLEAN = {
    "base/result.h": "#include <string>\n",
    "trace/trace.h": '#include "base/result.h"\n',
    "trace/slice_table.h": "#include <cstdint>\n",
    "ingest/ingest.h": '#include "trace/trace.h"\n',
    "ingest/gzip_reader.h": "#include <isa-l/igzip_lib.h>\n#include <zstd.h>\n",
    "ingest/kineto_json/reader.cpp": '#include <simdjson.h>\n#include "ingest/gzip_reader.h"\n',
    "ingest/ingest_test.cpp": '#include <gtest/gtest.h>\n#include <fstream>\n#include "ingest/ingest.h"\n',
    "ingest/CMakeLists.txt": "skyline_layer(ingest\n  SOURCES ingest.cpp\n  DEPS base trace simdjson::simdjson\n)\n",
    "analyze/analyze.h": '#include "trace/slice_table.h"\n',
    "cli/main.cpp": '#include <CLI/CLI.hpp>\n#include <fmt/format.h>\n#include "ingest/ingest.h"\n',
}


def messages(root: Path, planted: dict[str, str]) -> list[str]:
    for name, text in (CLEAN | planted).items():
        path = root / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [f"{path.relative_to(root)}:{number}: {message}" for path, number, message in violations(root)]


def test_clean_tree_has_no_violations(tmp_path: Path) -> None:
    assert messages(tmp_path, {}) == []


@pytest.mark.parametrize(
    ("path", "text", "sentence"),
    [
        ("base/a.h", '\n#include "trace/trace.h"\n', "src/base/a.h:2: base must not know trace"),
        ("trace/a.cpp", '#include "ingest/ingest.h"\n', "trace must not know ingest"),
        ("analyze/a.cpp", '#include "ingest/ingest.h"\n', "analyze must not know ingest"),
        ("ingest/a.cpp", '#include "analyze/analyze.h"\n', "ingest must not know analyze"),
        ("cli/a.cpp", '#include "ingest/gzip_reader.h"\n', "only its door ingest/ingest.h"),
        ("cli/a.cpp", '#include "result.h"\n', '"result.h" does not exist; paths start at src/'),
        ("cli/a.cpp", "#include <simdjson.h>\n", "cli must not use simdjson"),
        ("analyze/a.cpp", "#  include <zstd.h>\n", "analyze must not use zstd"),
        ("ingest/a.cpp", "#include <torch/extension.h>\n", "ingest must not use torch"),
        ("base/a.cpp", "#include <Python.h>\n", "base must not use python"),
        ("base/a.cpp", "#include <fstream>\n", "base must not use files"),
        ("analyze/a.cpp", "#include <iostream>\n", "analyze must not use console"),
        ("trace/a.cpp", "#include <gtest/gtest.h>\n", "trace must not use gtest"),
        ("trace/a.cpp", "#include <absl/strings/str_cat.h>\n", "belongs to no known library"),
        ("trace/CMakeLists.txt", "skyline_layer(trace DEPS base ingest)\n", "trace must not link ingest"),
        ("trace/CMakeLists.txt", "skyline_layer(trace DEPS base\n  cli TESTS a.cpp)\n", "trace must not link cli"),
        ("helpers/a.h", "\n", "helpers is no layer"),
    ],
)
def test_planted_violation_is_found(tmp_path: Path, path: str, text: str, sentence: str) -> None:
    found = messages(tmp_path, {path: text})
    assert len(found) == 1
    assert sentence in found[0]
