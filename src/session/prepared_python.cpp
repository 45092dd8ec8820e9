#include "session/prepared_python.h"

#include <fmt/format.h>

namespace skyline {

Result<bool> PreparedPython::is_ready() {
  if (zygote_ == nullptr) {
    SKYLINE_TRY(zygote_, Zygote::start(python_, preload_.modules()));
  }
  zygote_->hear();
  if (zygote_->taint()) {
    preload_.exclude(zygote_->taint()->module);
    zygote_.reset();
    return false;
  }
  if (zygote_->is_gone()) {
    const std::string said = zygote_->last_words();
    zygote_.reset();
    return Error{fmt::format("Python with torch could not be started as '{}'{}; name another with --python",
                             python_.python, said.empty() ? "" : fmt::format(": {}", said))};
  }
  return zygote_->is_ready();
}

void PreparedPython::learn(const std::vector<std::string>& modules) {
  if (!preload_.add(modules)) return;
  Result<std::unique_ptr<Zygote>> next = Zygote::start(python_, preload_.modules());
  if (next.ok()) zygote_ = std::move(next).value();
}

}  // namespace skyline
