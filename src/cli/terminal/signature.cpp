#include "cli/terminal/signature.h"

namespace skyline::cli {
namespace {

// Without the arguments at the end.
std::string_view without_arguments(std::string_view name) {
  if (!name.ends_with(')')) return name;
  int depth = 0;
  for (size_t at = name.size(); at-- > 1;) {
    if (name[at] == ')') ++depth;
    if (name[at] == '(' && --depth == 0) return name.substr(0, at);
  }
  return name;
}

bool is_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Drops the namespace or class that stands at the end of `text`, before "::". False if it is none.
bool drop_qualifier(std::string& text) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  if (text.ends_with(kAnonymous)) {
    text.resize(text.size() - kAnonymous.size());
    return true;
  }
  const size_t size = text.size();
  while (!text.empty() && is_identifier(text.back())) text.pop_back();
  return text.size() < size;
}

}  // namespace

std::string short_signature(std::string_view name) {
  constexpr std::string_view kReturnsNothing = "void ";
  if (!name.starts_with(kReturnsNothing)) return std::string(name);
  const std::string_view rest = without_arguments(name.substr(kReturnsNothing.size()));
  std::string text;
  for (size_t at = 0; at < rest.size(); ++at) {
    if (rest.substr(at).starts_with("::") && drop_qualifier(text)) {
      ++at;
      continue;
    }
    text += rest[at];
  }
  return text.empty() ? std::string(name) : text;
}

}  // namespace skyline::cli
