// Connections that have not shown the token yet, or never will. They have places of their own: however many
// come, and however slowly they speak, they take none from the owner's pages. When all places are taken, the
// one that has been here longest goes, as a page's request comes at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace skyline::serve {

class Strangers {
 public:
  explicit Strangers(size_t most) : most_(most) {}

  // `send_away` ends the connection; it is called once at most, and never after leave().
  uint64_t enter(std::function<void()> send_away) {
    if (!present_.empty() && present_.size() >= most_) {
      const std::function<void()> send_oldest_away = std::move(present_.begin()->second);
      present_.erase(present_.begin());
      send_oldest_away();
    }
    present_.emplace(++last_, std::move(send_away));
    return last_;
  }

  void leave(uint64_t id) { present_.erase(id); }

 private:
  const size_t most_;
  uint64_t last_ = 0;
  std::map<uint64_t, std::function<void()>> present_;
};

}  // namespace skyline::serve
