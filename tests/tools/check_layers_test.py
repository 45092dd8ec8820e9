"""check_layers.py must find each kind of violation: planted one by one into a small clean tree."""

from pathlib import Path

import pytest

from check_layers import violations

CLEAN = {
    "base/result.h": "#include <string>\n",
    "trace/trace.h": '#include "base/result.h"\n',
    "trace/slice_table.h": "#include <cstdint>\nnamespace skyline {\nstruct Slice {};\n}  // namespace skyline\n",
    "ingest/ingest.h": '#include "trace/trace.h"\n',
    "ingest/test_traces.h": '#include "ingest/gzip_reader.h"\n',
    "ingest/text/text.h": '#include "ingest/ingest.h"\n',
    "ingest/gzip_reader.h": "#include <isa-l/igzip_lib.h>\n#include <zstd.h>\n",
    "ingest/kineto_json/reader.cpp": '#include <simdjson.h>\n#include "ingest/text/text.h"\n',
    "ingest/text/text_test.cpp": '#include "ingest/gzip_reader.h"\n#include "ingest/kineto_json/reader.h"\n',
    "ingest/kineto_json/reader.h": "#include <cstdint>\n",
    "ingest/ingest_test.cpp": '#include <gtest/gtest.h>\n#include <fstream>\n#include "base/test_folder.h"\n',
    "base/test_folder.h": "#include <filesystem>\n",
    "ingest/CMakeLists.txt": "skyline_layer(ingest\n  SOURCES ingest.cpp\n  DEPS base trace simdjson::simdjson\n)\n",
    "analyze/analyze.h": '#include "analyze/core/table.h"\n#include "trace/slice_table.h"\n',
    "analyze/core/table.h": (
        "#include <vector>\nnamespace skyline {\nclass Trace;\n}\nnamespace skyline::analyze {\nstruct Table {};\n}\n"
    ),
    "ingest/kineto_json/batch.h": "namespace skyline::ingest::kineto_json {\nstruct Batch {};\n}\n",
    "analyze/time/steps.cpp": '#include <fmt/format.h>\n#include "analyze/core/table.h"\n',
    "analyze/time/op_time.h": "#include <cstdint>\n",
    "report/report.h": "#include <string>\n",
    "analyze/registry.cpp": '#include "analyze/time/op_time.h"\n',
    "collect/recorder.h": "#include <Python.h>\n",
    "collect/torch/hooks.cpp": '#include <ATen/record_function.h>\n#include "collect/recorder.h"\n',
    "session/session.h": '#include "session/profile/profile_options.h"\n',
    "session/profile/profile.h": '#include "session/profile/profile_options.h"\n',
    "session/profile/profile_options.h": "#include <string>\n",
    "serve/methods/context.h": "#include <string>\n",
    "serve/http/server.cpp": '#include <boost/asio.hpp>\n#include "serve/methods/context.h"\n',
    "cli/main_test.cpp": '#include "ingest/test_traces.h"\n',
    "cli/main.cpp": '#include <CLI/CLI.hpp>\n#include <fmt/format.h>\n#include "ingest/ingest.h"\n',
}

CLEAN_WEB = {
    "base/format.ts": "export const x = 1;\n",
    "base/theme.css": ":root {}\n",
    "base/format.test.ts": 'import { expect } from "vitest";\nimport { x } from "./format";\n',
    "client/client.ts": "export const client = new WebSocket(address);\n",
    "model/app.ts": 'import type { Hello } from "@protocol/messages";\nimport { client } from "../client/client";\n',
    "widgets/table.tsx": 'import {\n  x,\n} from "../base/format";\nimport "./table.css";\n',
    "widgets/table.css": '@import "../base/theme.css";\n',
    "features/registry.ts": 'export const load = () => import("./overview/overview");\n',
    "features/overview/overview.tsx": 'import { h } from "preact";\nimport { T } from "../../widgets/table";\n',
    "features/memory/memory.tsx": 'import { x } from "./model/points";\nimport { y } from "./draw/curve";\n',
    "features/memory/model/points.ts": 'import { client } from "../../../client/client";\n',
    "features/memory/draw/curve.ts": (
        'import uPlot from "uplot";\nimport "uplot/dist/uPlot.min.css";\nimport { x } from "../model/points";\n'
    ),
    "main.tsx": 'import { load } from "./features/registry";\n',
}


def messages(root: Path, planted: dict[str, str]) -> list[str]:
    return messages_of(root, {f"src/{name}": text for name, text in (CLEAN | planted).items()})


def web_messages(root: Path, planted: dict[str, str]) -> list[str]:
    engine = {f"src/{name}": text for name, text in CLEAN.items()}
    return messages_of(root, engine | {f"web/src/{name}": text for name, text in (CLEAN_WEB | planted).items()})


def messages_of(root: Path, files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        path = root / name
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
        ("trace/a.cpp", '#include "base/test_folder.h"\n', "base/test_folder.h is for tests"),
        ("trace/a.cpp", "#include <absl/strings/str_cat.h>\n", "belongs to no known library"),
        ("trace/CMakeLists.txt", "skyline_layer(trace DEPS base ingest)\n", "trace must not link ingest"),
        ("trace/CMakeLists.txt", "skyline_layer(trace DEPS base\n  cli TESTS a.cpp)\n", "trace must not link cli"),
        ("helpers/a.h", "\n", "helpers is no layer"),
        ("cli/a.cpp", '#include "analyze/core/table.h"\n', "only its door analyze/analyze.h"),
        ("cli/a.cpp", '#include "ingest/test_traces.h"\n', "ingest/test_traces.h is for tests"),
        ("analyze/core/a.cpp", '#include "core/table.h"\n', "paths start at src/"),
        (
            "analyze/core/a.cpp",
            '\n#include "analyze/time/op_time.h"\n',
            "src/analyze/core/a.cpp:2: analyze/core must not know analyze/time (analyze/time/op_time.h)",
        ),
        ("analyze/time/a.h", '#include "analyze/analyze.h"\n', "analyze/time must not know analyze/analyze.h"),
        ("ingest/text/a.cpp", '#include "ingest/gzip_reader.h"\n', "ingest/text must not know ingest/gzip_reader.h"),
        ("analyze/helpers/a.h", "\n", "helpers is no room of analyze"),
        ("serve/helpers/a.h", "\n", "helpers is no room of serve"),
        (
            "serve/served/a.cpp",
            '#include "serve/methods/context.h"\n',
            "serve/served must not know serve/methods (serve/methods/context.h)",
        ),
        ("collect/a.cpp", "#include <c10/core/Allocator.h>\n", "collect must not use torch (<c10/core/Allocator.h>)"),
        ("analyze/core/table.h", "#include <fmt/format.h>\n", "is seen by all who include analyze/analyze.h"),
        ("ingest/ingest.h", "#include <simdjson.h>\n", "<simdjson.h> of simdjson is seen by all who include ingest"),
        (
            "session/session.h",
            '#include "session/profile/profile.h"\n',
            "session/profile/profile.h is seen by all who include session/session.h",
        ),
        (
            "analyze/time/a.h",
            "namespace skyline {\nint64_t sum();\n",
            "src/analyze/time/a.h:1: analyze declares in skyline; its namespace is skyline::analyze",
        ),
        ("cli/a.h", "namespace skyline::session {\nclass Edit;\n", "its namespace is skyline::cli"),
        ("ingest/text/a.cpp", "namespace skyline::ingestion {\n", "its namespace is skyline::ingest"),
        ("session/a.cpp", "#include <sqlite3.h>\n", "session must not use sqlite"),
        ("session/a.cpp", '#include "report/report.h"\n', "session must not know report"),
    ],
)
def test_planted_violation_is_found(tmp_path: Path, path: str, text: str, sentence: str) -> None:
    found = messages(tmp_path, {path: text})
    assert len(found) == 1
    assert sentence in found[0]


def test_clean_page_has_no_violations(tmp_path: Path) -> None:
    assert web_messages(tmp_path, {}) == []


@pytest.mark.parametrize(
    ("path", "text", "sentence"),
    [
        (
            "base/a.ts",
            '\nimport { client } from "../client/client";\n',
            "web/src/base/a.ts:2: base must not know client",
        ),
        (
            "features/memory/draw/a.ts",
            'import type { T } from "../../../widgets/table";\n',
            "memory/draw must not know widgets",
        ),
        (
            "features/memory/model/a.ts",
            'import type { T } from "../../../widgets/table";\n',
            "memory/model must not know widgets",
        ),
        ("features/memory/model/a.ts", 'import "../draw/curve";\n', "memory/model must not know memory/draw"),
        ("features/memory/draw/a.ts", 'import "../memory";\n', "memory/draw must not know memory/views"),
        ("features/memory/a.tsx", 'import "../overview/overview";\n', "memory/views must not know overview/views"),
        ("features/overview/a.tsx", 'import "../memory/model/points";\n', "overview/views must not know memory/model"),
        ("features/memory/a.tsx", 'import { load } from "../registry";\n', "memory/views must not know features"),
        ("features/memory/helpers/a.ts", 'import "../model/points";\n', "memory/helpers is no folder of a feature"),
        ("model/a.ts", 'import "../features/memory/model/points";\n', "model must not know memory/model"),
        ("widgets/a.tsx", 'const view = import("../features/overview/overview");\n', "widgets must not know overview"),
        ("widgets/a.css", '@import "../features/overview/overview";\n', "widgets must not know overview/views"),
        ("features/a.tsx", 'import { start } from "../main";\n', "features must not know the driver"),
        ("features/memory/a.tsx", 'import { x } from "../../base/nothing";\n', "../../base/nothing does not exist"),
        ("widgets/a.tsx", 'import { x } from "../../vite.config";\n', "is outside web/src"),
        ("features/memory/a.tsx", 'import uPlot from "uplot";\n', "memory/views must not use uplot"),
        ("model/a.ts", 'import { EditorView } from "@codemirror/view";\n', "model must not use @codemirror/view"),
        ("model/a.ts", 'import _ from "lodash";\n', "lodash is no known package"),
        ("model/a.ts", 'import { expect } from "vitest";\n', "vitest is no known package"),
        (
            "features/memory/a.tsx",
            'const answer = await fetch("./x");\n',
            "memory/views must not talk to the server (fetch()",
        ),
        ("model/a.ts", "const socket = new WebSocket(address);\n", "model must not talk to the server"),
        ("helpers/a.ts", "\n", "helpers is no layer of the page"),
    ],
)
def test_planted_violation_in_the_page_is_found(tmp_path: Path, path: str, text: str, sentence: str) -> None:
    found = web_messages(tmp_path, {path: text})
    assert len(found) == 1
    assert sentence in found[0]
