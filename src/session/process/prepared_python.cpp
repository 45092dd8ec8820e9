#include "session/process/prepared_python.h"

#include <fmt/format.h>

namespace skyline::session {
namespace {

constexpr std::chrono::seconds kImportPatience{60};  // with one module that nobody needs beforehand
constexpr int kMostFailedStarts = 3;

}  // namespace

Result<bool> PreparedPython::is_ready() {
  if (zygote_ == nullptr) {
    SKYLINE_TRY(zygote_, Zygote::start(python_, preload_.modules()));
  }
  zygote_->receive();
  if (zygote_->taint()) {
    preload_.exclude(zygote_->taint()->module);
    zygote_.reset();
    return false;
  }
  const bool is_stuck = !zygote_->importing().empty() && zygote_->importing_for() > kImportPatience;
  if (is_stuck || (zygote_->is_gone() && !zygote_->importing().empty())) {
    preload_.exclude(zygote_->importing());
    zygote_.reset();
    return false;
  }
  if (zygote_->is_gone()) {
    const bool was_killed = !zygote_->is_ready() && !zygote_->end().signal.empty();
    const bool begins_again = zygote_->is_ready() || (was_killed && ++failed_starts_ < kMostFailedStarts);
    const std::string said = zygote_->last_words();
    zygote_.reset();
    if (begins_again) return is_ready();
    return Error{fmt::format("Python with torch could not be started as '{}'{}; name another with --python",
                             python_.python, said.empty() ? "" : fmt::format(": {}", said))};
  }
  if (zygote_->is_ready()) failed_starts_ = 0;
  return zygote_->is_ready();
}

void PreparedPython::learn(const std::vector<std::string>& modules) {
  if (!preload_.add(modules)) return;
  Result<std::unique_ptr<Zygote>> next = Zygote::start(python_, preload_.modules());
  if (next.ok()) zygote_ = std::move(next).value();
}

}  // namespace skyline::session
