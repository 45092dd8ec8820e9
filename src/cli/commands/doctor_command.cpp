#include "cli/commands/doctor_command.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <thread>

#include "cli/setup/python.h"
#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

// The value of the first line "name : value" of a file like /proc/cpuinfo.
std::string field_of(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(':');
    if (!line.starts_with(name) || colon == std::string::npos) continue;
    return line.substr(std::min(line.size(), colon + 2));
  }
  return {};
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string known_features() {
  static constexpr std::array<std::string_view, 9> kFeatures = {
      "sse4_2", "avx2", "avx512f", "avx512_bf16", "amx_tile", "amx_bf16", "asimd", "sve", "constant_tsc"};
  std::string all = field_of("/proc/cpuinfo", "flags");
  if (all.empty()) all = field_of("/proc/cpuinfo", "Features");
  all = " " + all + " ";
  std::string found;
  for (const std::string_view feature : kFeatures) {
    if (all.find(fmt::format(" {} ", feature)) != std::string::npos)
      found += fmt::format("{}{}", found.empty() ? "" : " ", feature);
  }
  return found;
}

// What can be told without Python, in the words of python/skyline/_environment.py.
std::string machine(const std::string& version) {
  const std::pair<std::string_view, std::string> facts[] = {
      {"skyline.version", version},
      {"host.cpu", field_of("/proc/cpuinfo", "model name")},
      {"host.cpu_features", known_features()},
      {"host.cpus", fmt::format("{}", std::thread::hardware_concurrency())},
      {"host.clocksource", first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource")},
  };
  std::string out;
  for (const auto& [key, value] : facts) out += fmt::format("{:<18}{}\n", key, printable(value));
  return out;
}

}  // namespace

Result<Answer> run_doctor(const Arguments& arguments, const Context& context) {
  const std::string& wanted = arguments.text(kPythonArgument);
  const std::string python = wanted.empty() ? default_python(context.environment) : wanted;
  const Error trouble = become_python(python, {"doctor"}, context.environment);
  return Answer{.text = fmt::format("{}trouble: {}; nothing can be recorded\n", machine(context.version),
                                    trouble.sentence),
                .exit_code = kExitFinding};
}

}  // namespace skyline::cli
