# make_venv LOG: the Python packages of the tests in build/venv; made anew when the pinned list changes.
# Sourced by ./test and tools/format.
make_venv() {
  local log=$1 python=/usr/bin/python3
  # Debian's own Python, as python3-venv belongs to it; the first python3 in PATH may be anything.
  [[ -x $python ]] || python=python3
  cmp -s tests/requirements.txt build/venv/installed.txt && return
  echo "skyline: installing tests/requirements.txt into build/venv" >&2
  rm -rf build/venv
  if ! { "$python" -m venv build/venv &&
    build/venv/bin/pip install --disable-pip-version-check --require-hashes -r tests/requirements.txt; } >"$log" 2>&1; then
    tail -n 10 "$log" >&2
    echo "skyline: could not install tests/requirements.txt" >&2
    exit 2
  fi
  cp tests/requirements.txt build/venv/installed.txt
}
