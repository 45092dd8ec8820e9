"""The program under a limit on its address space, as clusters and CI set one."""

import resource
import subprocess

import pytest

EVENT = (
    '{{"ph":"X","cat":"cpu_op","name":"aten::op{0}","pid":1,"tid":{1},"ts":{2}.5,"dur":3,"args":{{"External id":{2}}}}}'
)
LIMITS_MB = range(24, 200, 8)


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    path = tmp_path_factory.mktemp("limits") / "trace.json"
    events = ",\n".join(EVENT.format(i % 500, i % 4, i) for i in range(200_000))
    path.write_text('{"schemaVersion": 1, "traceEvents": [\n' + events + "\n]}\n")
    return path


def run_limited(binary, megabytes, *words):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    return subprocess.run([binary, *words], capture_output=True, text=True, timeout=240, preexec_fn=limit)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_limit_ends_with_the_report_or_with_a_sentence(skyline_binary, trace, threads):
    codes = set()
    for megabytes in LIMITS_MB:
        done = run_limited(skyline_binary, megabytes, "report", str(trace), "--threads", str(threads))
        if done.returncode == 127:  # too little for the dynamic linker: nothing of ours has run
            continue
        codes.add(done.returncode)
        assert done.returncode in (0, 2), (megabytes, done.returncode, done.stderr)
        if done.returncode == 2:
            assert done.stderr.startswith("skyline: ") and done.stderr.count("\n") == 1, (megabytes, done.stderr)
            assert "memory" in done.stderr, (megabytes, done.stderr)
    assert codes == {0, 2}


def test_a_budget_is_named_with_what_the_trace_needs_and_the_cure(skyline_binary, trace):
    words = [skyline_binary, "report", str(trace), "--max-memory", "5M"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=240)
    assert done.returncode == 2
    assert done.stderr.startswith(f"skyline: {trace} would need about ")
    assert done.stderr.endswith("and may have 5.0 MiB (--max-memory); allow more with --max-memory\n")
    assert subprocess.run([*words[:-1], "1G"], capture_output=True, timeout=240).returncode == 0
