#include "cli/setup/arguments.h"

#include <utility>

#include "base/check.h"

namespace skyline::cli {

template <typename T>
const T* Arguments::find(const Argument& argument) const {
  const auto found = values_.find(argument.name);
  if (found == values_.end()) return nullptr;
  CHECK(std::holds_alternative<T>(found->second));
  return &std::get<T>(found->second);
}

const std::string& Arguments::text(const Argument& argument) const {
  static const std::string kNone;
  const auto* given = find<std::string>(argument);
  return given == nullptr ? kNone : *given;
}

const Arguments::Texts& Arguments::texts(const Argument& argument) const {
  static const Texts kNone;
  const auto* given = find<Texts>(argument);
  return given == nullptr ? kNone : *given;
}

std::optional<int64_t> Arguments::number(const Argument& argument) const {
  const auto* given = find<int64_t>(argument);
  return given == nullptr ? std::nullopt : std::optional(*given);
}

bool Arguments::has(const Argument& argument) const { return values_.contains(argument.name); }

void Arguments::set(const Argument& argument, std::variant<bool, int64_t, std::string, Texts> value) {
  values_.insert_or_assign(argument.name, std::move(value));
}

}  // namespace skyline::cli
