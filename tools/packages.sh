# The Debian packages, by what needs them, and how to get them. Sourced by bootstrap.sh, ./test and tools/*.
# Why each library is used is written in cmake/dependencies.cmake.

build_packages=(g++ cmake ninja-build pkg-config
  libsimdjson-dev libisal-dev libzstd-dev libxxhash-dev libfmt-dev libcli11-dev libsqlite3-dev libboost1.81-dev)
test_packages=(libgtest-dev python3 python3-venv python3-dev clang-format-14 ccache)
entry_point_packages=(python3 python3-venv python3-dev)
fuzz_packages=(clang-14 libclang-rt-14-dev)
bench_packages=(libbenchmark-dev)
browser_packages=(chromium)

# install_packages LOG PACKAGE...: installs those that are missing; touches no network if none is.
# Without root or passwordless sudo it prints the one line to run and exits 2.
install_packages() {
  local log=$1 package missing=() as_root=()
  shift
  if ! command -v dpkg-query >/dev/null; then
    echo "skyline: not a Debian system; expecting the equivalents of: $*" >&2
    return
  fi
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  if ((EUID != 0)); then
    if ! sudo -n true 2>/dev/null; then
      echo "skyline: some Debian packages are missing. Please run this once, then start again:" >&2
      echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
      exit 2
    fi
    as_root=(sudo -n)
  fi
  echo "skyline: installing ${missing[*]}" >&2
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
  # A failed update need not matter: the lists at hand may be good enough.
  "${as_root[@]}" update >"$log" 2>&1 || true
  if ! "${as_root[@]}" install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "skyline: installing packages failed; the whole log is in $log" >&2
    exit 2
  fi
}
