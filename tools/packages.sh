# The Debian packages, by what needs them, and how to get them. Sourced by bootstrap.sh, ./test and tools/*.
# Why each library is used is written in cmake/dependencies.cmake.

build_packages=(g++ cmake ninja-build pkg-config
  libsimdjson-dev libisal-dev libzstd-dev libxxhash-dev libfmt-dev libcli11-dev libsqlite3-dev libboost1.81-dev)
test_packages=(libgtest-dev python3 python3-venv python3-dev clang-format-14 ccache
  clang-16 libclang-rt-16-dev llvm-16)
entry_point_packages=(python3 python3-venv python3-dev)
bench_packages=(libbenchmark-dev)
browser_packages=(chromium)
wheel_packages=(make xz-utils python3 python3-venv)

# install_packages LOG PACKAGE...: installs those that are missing; touches no network if none is. Packages are not
# pinned by hash: apt checks the signature of Debian's own list of hashes.
#
# Root may install, and who has said so: SKYLINE_INSTALL=yes (./skyline --yes) also uses a sudo that asks for no
# password, SKYLINE_INSTALL=no forbids it to root too. Who may not is told the one line to run; exit 2.
install_packages() {
  local log=$1 package missing=() as_root=() sudo=
  shift
  if ! command -v dpkg-query >/dev/null; then
    echo "skyline: not a Debian system; expecting the equivalents of: $*" >&2
    return
  fi
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  ((EUID == 0)) || sudo=sudo
  case ${SKYLINE_INSTALL:-${sudo:+no}} in
    no) tell_what_to_install ;;
    yes) [[ ! $sudo ]] || sudo -n true 2>/dev/null || tell_what_to_install ;;
  esac
  [[ ! $sudo ]] || as_root=(sudo -n)
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

# $sudo and $missing are the caller's.
tell_what_to_install() {
  local as_root=${sudo:+sudo } or_yes=
  if [[ ! $sudo ]] || sudo -n true 2>/dev/null; then
    or_yes=", or with ./skyline --yes (SKYLINE_INSTALL=yes), which runs it for you"
  fi
  echo "skyline: some Debian packages are missing. Please run this once, then start again$or_yes:" >&2
  echo "  ${as_root}apt-get update && ${as_root}apt-get install -y --no-install-recommends ${missing[*]}" >&2
  exit 2
}
