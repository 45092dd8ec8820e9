# Sourced by ./skyline for commands that run an entry point. If none of the Pythons that the program would try has
# torch, VIRTUAL_ENV becomes the checkout's .venv, which is made when it is not there. $root, $install and "$@" are the
# launcher's.

# The same question as in src/session/process/which_python.cpp: 3.11 or later, and torch, looked up without importing it.
# What the current folder holds is never imported: it may be a stranger's, and empty and relative parts of PYTHONPATH
# mean it.
has_torch() {
  local all absolute=() part IFS=:
  read -ra all <<<"${PYTHONPATH-}"
  for part in "${all[@]}"; do [[ $part != /* ]] || absolute+=("$part"); done
  PYTHONPATH="${absolute[*]}" "$1" - 2>/dev/null <<'END'
import sys
sys.path[:] = [entry for entry in sys.path if entry]
import importlib.util
torch = importlib.util.find_spec("torch")
sys.exit(sys.version_info < (3, 11) or torch is None or torch.origin is None)
END
}

# Whether it is for us to find a Python: one that was named is meant, and help and a file that is not there need none.
must_find_python() {
  local word names_file=
  for word in "${@:2}"; do
    case $word in
      --python | --python=* | -h | --help) return 1 ;;
    esac
    [[ ! -f $word ]] || names_file=1
  done
  [[ $names_file ]]
}

if must_find_python "$@" && ! { [[ ${VIRTUAL_ENV-} ]] && has_torch "$VIRTUAL_ENV/bin/python"; } && ! has_torch python3; then
  [[ ! -e $root/.venv/skyline-unfinished ]] && has_torch "$root/.venv/bin/python" ||
    SKYLINE_INSTALL=$install "$root/tools/make_torch_venv.sh" "${VIRTUAL_ENV:+$VIRTUAL_ENV and }python3" </dev/null >&2
  export VIRTUAL_ENV=$root/.venv
fi
