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
start_over=
if [[ -x $binary && -e $stamp ]]; then
  if ! libraries_present; then
    start_over=1  # linked with what another system or release had
  elif [[ ! $newest -nt $stamp && ! web/dist/index.html -nt $binary ]]; then
    exit 0
  fi
fi

# Only a first build installs unasked: who has one, whatever became of it since, wants a report and nothing else.
if [[ -x $binary && ${SKYLINE_INSTALL-} != yes ]]; then
  export SKYLINE_INSTALL=no
fi
install_packages "$root/build/packages.log" "${build_packages[@]}"
[[ ! $start_over ]] || { rm -rf "$build_dir" && mkdir "$build_dir"; }

# The stamp is as old as the newest source seen before the build, so an edit made meanwhile is noticed next time.
touch -r "$newest" "$stamp.next"

build_program() {
  build_with_progress release skyline "$log" && return
  tail -n 40 "$log" >&2
  die "the build failed; the whole log is in $log"
}
page_time() { stat -c %Y web/dist/index.html 2>/dev/null || true; }

# The page is built while the program compiles, and then packed into it. Without it the program works, and its page says
# what is missing. A page that changes while it is packed fails the build, which is then tried again.
before=$(page_time)
tools/build_web.sh &
page=$!
is_built=
if build_with_progress release skyline "$log"; then is_built=1; fi
wait "$page" || true
[[ $is_built && $(page_time) == "$before" ]] || build_program
ldd "$binary" | awk '$3 ~ /^\// { print $3 }' >"$stamp.libraries"
touch -r "$stamp.next" "$stamp.libraries"
mv "$stamp.libraries" "$stamp"
rm -f "$stamp.next"
