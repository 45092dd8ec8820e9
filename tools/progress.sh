# build_with_progress PRESET TARGET LOG: configures and builds one preset in the current folder, shows one line
# of progress on standard error, keeps everything else in LOG. Sourced by bootstrap.sh and ./test.
build_with_progress() {
  local preset=$1 target=$2 log=$3
  # A checkout that was moved or copied carries paths of its old place; CMake refuses them.
  local cache=build/$preset/CMakeCache.txt
  if [[ -e $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$cache"; then
    rm -rf "build/$preset/CMakeFiles" "$cache"
  fi
  mkdir -p "$(dirname "$log")"
  {
    cmake --preset "$preset" && NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset" --target "$target"
  } 2>&1 | tee "$log" | show_progress "$preset"
}

# Ninja's lines "[3/40] Building ..." become "skyline: building release 3/40": rewritten in place on a
# terminal, at every tenth of the way elsewhere.
show_progress() {
  local preset=$1 line shown=-1 tenth
  [[ -t 2 ]] || echo "skyline: building $preset" >&2
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    if [[ -t 2 ]]; then
      printf '\r\033[Kskyline: building %s %d/%d' "$preset" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" >&2
      continue
    fi
    tenth=$((BASH_REMATCH[1] * 10 / BASH_REMATCH[2]))
    ((tenth == shown)) || echo "skyline: building $preset ${BASH_REMATCH[1]}/${BASH_REMATCH[2]}" >&2
    shown=$tenth
  done
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}
