# pip_install_torch PYTHON: torch for the CPU where pip is set up with a place that has it, else PyPI's; both by hash.
# Sourced by make_torch_venv.sh and ./test.
pip_install_torch() {
  local pip=("$1" -m pip install --disable-pip-version-check --require-hashes)
  "${pip[@]}" -r tools/torch_requirements.txt || "${pip[@]}" -r tools/torch_cuda_requirements.txt
}
