#include "cli/signature.h"

namespace skyline {

std::string_view without_signature(std::string_view name) {
  constexpr std::string_view kReturnsNothing = "void ";
  if (!name.starts_with(kReturnsNothing)) return name;
  std::string_view rest = name.substr(kReturnsNothing.size());
  if (!rest.ends_with(')')) return rest;
  // The parenthesis that the last one closes.
  int depth = 0;
  for (size_t at = rest.size(); at-- > 1;) {
    if (rest[at] == ')') ++depth;
    if (rest[at] == '(' && --depth == 0) return rest.substr(0, at);
  }
  return rest;
}

}  // namespace skyline
