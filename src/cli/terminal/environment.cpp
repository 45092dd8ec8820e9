#include "cli/terminal/environment.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>

#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

// The number in a variable of ours; none if it is not set or empty.
Result<std::optional<int64_t>> read_number(const ReadVariable& variable, const char* name, int64_t max,
                                           int64_t min = 1) {
  const char* text = variable(name);
  if (text == nullptr || *text == '\0') return std::optional<int64_t>();
  const std::optional<int64_t> number = parse_number(text);
  if (!number || *number < min || *number > max) {
    return Error{fmt::format("the environment variable {} must be a number from {} to {}, not '{}'", name,
                             min, max, printable(text))};
  }
  return number;
}

}  // namespace

std::optional<int64_t> parse_number(std::string_view text) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const std::from_chars_result parsed = std::from_chars(text.data(), end, number);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

std::optional<int64_t> parse_size(std::string_view text) {
  double amount = 0;
  const char* end = text.data() + text.size();
  const std::from_chars_result parsed = std::from_chars(text.data(), end, amount, std::chars_format::fixed);
  if (parsed.ec != std::errc()) return std::nullopt;
  std::string_view unit(parsed.ptr, static_cast<size_t>(end - parsed.ptr));
  if (!unit.empty()) {
    const size_t power = std::string_view("BKMGT").find(static_cast<char>(std::toupper(unit.front())));
    if (power == std::string_view::npos) return std::nullopt;
    for (size_t i = 0; i < power; ++i) amount *= 1024;
    unit.remove_prefix(1);
    if (power > 0 && unit != "" && unit != "B" && unit != "iB") return std::nullopt;
    if (power == 0 && unit != "") return std::nullopt;
  }
  if (!(amount >= 0 && amount < 9e18)) return std::nullopt;
  return static_cast<int64_t>(amount);
}

Result<Environment> read_environment(const ReadVariable& variable) {
  Environment environment;
  SKYLINE_TRY(const std::optional<int64_t> threads, read_number(variable, "SKYLINE_THREADS", 1024));
  if (threads) environment.threads = static_cast<unsigned>(*threads);
  SKYLINE_TRY(const std::optional<int64_t> chunk, read_number(variable, "SKYLINE_CHUNK_BYTES", 1 << 30));
  if (chunk) environment.chunk_bytes = static_cast<size_t>(*chunk);

  constexpr int64_t kMostBytes = int64_t{1} << 50;
  SKYLINE_TRY(const std::optional<int64_t> most, read_number(variable, "SKYLINE_CACHE_BYTES", kMostBytes, 0));
  if (most) environment.cache_bytes = static_cast<uint64_t>(*most);
  SKYLINE_TRY(const std::optional<int64_t> least,
              read_number(variable, "SKYLINE_CACHE_MIN_BYTES", kMostBytes, 0));
  if (least) environment.cache_min_bytes = static_cast<uint64_t>(*least);

  const auto text_of = [&](const char* name) {
    const char* text = variable(name);
    return std::string_view(text == nullptr ? "" : text);
  };
  // Relative paths are to be ignored, says the XDG specification.
  const std::string_view cache_home = text_of("XDG_CACHE_HOME"), home = text_of("HOME");
  if (cache_home.starts_with('/')) {
    environment.cache_folder = fmt::format("{}/skyline", cache_home);
  } else if (home.starts_with('/')) {
    environment.cache_folder = fmt::format("{}/.cache/skyline", home);
  }
  environment.virtual_env = text_of("VIRTUAL_ENV");
  environment.search_path = text_of("PATH");
  environment.python_path = text_of("PYTHONPATH");
  if (text_of("TMPDIR").starts_with('/')) environment.temporary_folder = text_of("TMPDIR");
  environment.ssh_connection = text_of("SSH_CONNECTION");
  environment.user = text_of("USER");
  environment.has_display = !text_of("DISPLAY").empty() || !text_of("WAYLAND_DISPLAY").empty();
  environment.timings = text_of("SKYLINE_TIMINGS") == "1";
  environment.no_color = !text_of("NO_COLOR").empty();
  environment.dumb_terminal = text_of("TERM").empty() || text_of("TERM") == "dumb";
  const std::optional<int64_t> columns = parse_number(text_of("COLUMNS"));
  if (columns && *columns > 0) environment.columns = static_cast<size_t>(*columns);
  return environment;
}

}  // namespace skyline::cli
