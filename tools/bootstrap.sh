#!/bin/bash
# bootstrap.sh BINARY STAMP: installs packages, builds the page and the release preset. Called by ./skyline when the
# build is missing or older than the sources. Safe to call concurrently: the first one builds, others wait.
set -euo pipefail
binary=$1 stamp=$2
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
build_dir=$root/build/release
log=$root/build/release.log
source "$root/tools/packages.sh"
source "$root/tools/progress.sh"
cd "$root"

die() {
  echo "skyline: $1" >&2
  exit 2
}

# One builder at a time; the lock goes with this process, however it ends.
{ mkdir -p "$build_dir" && exec 9>"$root/build/release.lock"; } 2>/dev/null ||
  die "cannot write to $root/build; run ./skyline once as the owner of this folder"
if ! flock -n 9; then
  echo "skyline: another start is building; waiting for it" >&2
  flock 9
fi

libraries_present() {
  local library
  while read -r library; do
    [[ -e $library ]] || return 1
  done <"$stamp"
}

# Whoever held the lock may have built just these sources: then its stamp is as new as our newest source.
sources=(src cmake CMakeLists.txt CMakePresets.json)
[[ ! -d web ]] || sources+=(web protocol)
newest=$(find "${sources[@]}" -path web/node_modules -prune -o -path web/dist -prune -o ! -path web -printf '%T@ %p\n' |
  sort -n | tail -n 1)
newest=${newest#* }
if [[ -x $binary && -e $stamp ]]; then
  if ! libraries_present; then
    rm -rf "$build_dir" && mkdir "$build_dir"  # linked with what another system or release had: start over
  elif [[ ! $newest -nt $stamp && ! web/dist/index.html -nt $binary ]]; then
    exit 0
  fi
fi

install_packages "$root/build/packages.log" "${build_packages[@]}"

# Without it the program works, and its page says what is missing.
tools/build_web.sh || true

# The stamp is as old as the newest source seen before the build, so an edit made meanwhile is noticed next time.
touch -r "$newest" "$stamp.next"
if ! build_with_progress release skyline "$log"; then
  tail -n 40 "$log" >&2
  die "the build failed; the whole log is in $log"
fi
ldd "$binary" | awk '$3 ~ /^\// { print $3 }' >"$stamp.libraries"
touch -r "$stamp.next" "$stamp.libraries"
mv "$stamp.libraries" "$stamp"
rm -f "$stamp.next"
