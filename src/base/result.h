// Result<T>: a value, or one sentence that tells the user what is wrong, where, and what to do.
//
// For trouble in the user's world (a missing file, bytes that are no trace). Damaged parts of an
// otherwise readable trace are counted instead (trace/losses.h), and our own mistakes are CHECKs.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace skyline {

struct Error {
  std::string sentence;
  bool is_lack_of_memory = false;  // it may go better once there is more
};

// E: what else is to be said of the trouble than a sentence.
template <typename T, typename E = Error>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(E error) : state_(std::move(error)) {}

  bool ok() const { return std::holds_alternative<T>(state_); }

  const E& error() const {
    CHECK(!ok());
    return std::get<E>(state_);
  }

  T& value() & {
    CHECK(ok());
    return std::get<T>(state_);
  }
  const T& value() const& {
    CHECK(ok());
    return std::get<T>(state_);
  }
  T&& value() && {
    CHECK(ok());
    return std::get<T>(std::move(state_));
  }

 private:
  std::variant<T, E> state_;
};

// For operations that give nothing back but may fail.
struct Done {};
using Status = Result<Done>;

}  // namespace skyline

#define SKYLINE_CONCAT_INNER(a, b) a##b
#define SKYLINE_CONCAT(a, b) SKYLINE_CONCAT_INNER(a, b)
#define SKYLINE_TRY_INNER(result, declaration, expression) \
  auto result = (expression);                              \
  if (!result.ok()) return result.error();                 \
  declaration = std::move(result).value()

#define SKYLINE_RETURN_IF_ERROR_INNER(result, expression) \
  do {                                                    \
    auto result = (expression);                           \
    if (!result.ok()) return result.error();              \
  } while (false)

// SKYLINE_RETURN_IF_ERROR(write(path)): returns the error to our caller, if there is one.
#define SKYLINE_RETURN_IF_ERROR(expression) \
  SKYLINE_RETURN_IF_ERROR_INNER(SKYLINE_CONCAT(status_, __LINE__), expression)

// SKYLINE_TRY(Trace trace, read_trace(path)): declares `trace`, or returns the error to our caller.
#define SKYLINE_TRY(declaration, expression) \
  SKYLINE_TRY_INNER(SKYLINE_CONCAT(try_result_, __LINE__), declaration, expression)
