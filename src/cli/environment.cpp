#include "cli/environment.h"

#include <fmt/format.h>

#include <charconv>

#include "cli/printable.h"

namespace skyline {
namespace {

// The number in a variable of ours; none if it is not set or empty.
Result<std::optional<int64_t>> read_number(const ReadVariable& variable, const char* name, int64_t max) {
  const char* text = variable(name);
  if (text == nullptr || *text == '\0') return std::optional<int64_t>();
  const std::optional<int64_t> number = parse_number(text);
  if (!number || *number < 1 || *number > max) {
    return Error{fmt::format("the environment variable {} must be a number from 1 to {}, not '{}'", name, max,
                             printable(text))};
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

Result<Environment> read_environment(const ReadVariable& variable) {
  Environment environment;
  SKYLINE_TRY(const std::optional<int64_t> threads, read_number(variable, "SKYLINE_THREADS", 1024));
  if (threads) environment.threads = static_cast<unsigned>(*threads);
  SKYLINE_TRY(const std::optional<int64_t> chunk, read_number(variable, "SKYLINE_CHUNK_BYTES", 1 << 30));
  if (chunk) environment.chunk_bytes = static_cast<size_t>(*chunk);

  const auto text_of = [&](const char* name) {
    const char* text = variable(name);
    return std::string_view(text == nullptr ? "" : text);
  };
  environment.timings = text_of("SKYLINE_TIMINGS") == "1";
  environment.no_color = !text_of("NO_COLOR").empty();
  environment.dumb_terminal = text_of("TERM").empty() || text_of("TERM") == "dumb";
  const std::optional<int64_t> columns = parse_number(text_of("COLUMNS"));
  if (columns && *columns > 0) environment.columns = static_cast<size_t>(*columns);
  return environment;
}

}  // namespace skyline
