#!/bin/bash
# make_torch_venv.sh TRIED: makes .venv with torch in the checkout; TRIED says which Pythons have none. Called by
# ./skyline. Safe to call concurrently: the first one installs, others wait. The file skyline-unfinished in it becomes
# skyline-complete when all is installed, so that a start after Ctrl-C begins anew; pip keeps what it has downloaded.
set -euo pipefail
tried=$1
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
log=$root/build/torch.log
source "$root/tools/packages.sh"
source "$root/tools/torch.sh"
cd "$root"

die() {
  echo "skyline: $1" >&2
  exit 2
}

{ mkdir -p build && exec 9>build/torch.lock; } 2>/dev/null ||
  die "no torch in $tried, and cannot write to $root to install it; name a Python that has it with --python"
if ! flock -n 9; then
  echo "skyline: another start is installing torch into .venv; waiting for it" >&2
  flock 9
fi
if [[ -e .venv/skyline-complete ]] && .venv/bin/python -c 'import torch' 2>/dev/null; then
  exit  # whom we waited for has made it
fi
if [[ (-e .venv || -L .venv) && ! -e .venv/skyline-complete && ! -e .venv/skyline-unfinished ]]; then
  die "no torch in $tried, nor in $root/.venv, which somebody else has made; install it there (.venv/bin/python -m pip \
install -r tools/torch_requirements.txt), or remove that folder"
fi

[[ ${SKYLINE_INSTALL-} != no ]] ||
  die "no torch in $tried, and SKYLINE_INSTALL=no forbids to install it; name a Python that has it with --python"

# python3-dev, as the collector is compiled for this Python.
install_packages "$root/build/packages.log" "${entry_point_packages[@]}"
# Debian's own Python, as python3-venv belongs to it; the first python3 in PATH may be anything.
python=/usr/bin/python3
[[ -x $python ]] || python=python3

echo "skyline: no torch in $tried; installing torch for the CPU into $root/.venv, once (a minute or more, 1 GB)" >&2
rm -rf .venv && mkdir .venv && touch .venv/skyline-unfinished
if ! { "$python" -m venv .venv &&
  pip_install_torch .venv/bin/python; } >"$log" 2>&1; then
  why=$(grep -a '^ERROR: ' "$log" | tail -n 1) || true
  rm -rf .venv
  die "could not install torch (${why:-see the log}; all of it in $log); check the network and start again, or name \
a Python that has torch with --python"
fi
mv .venv/skyline-unfinished .venv/skyline-complete
