// What waits to be sent to one client. A client that is behind gets only the newest event of each kind.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>

namespace skyline::serve {

struct Outgoing {
  std::shared_ptr<const std::string> bytes;  // shared with other clients
  bool is_binary = false;
  std::string kind = {};  // of an event; empty: an answer
};

class Outbox {
 public:
  void put(Outgoing message) {
    // The first one may be half sent.
    for (size_t i = 1; !message.kind.empty() && i < waiting_.size(); ++i) {
      if (waiting_[i].kind != message.kind) continue;
      bytes_ -= waiting_[i].bytes->size();
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
    bytes_ += message.bytes->size();
    waiting_.push_back(std::move(message));
  }

  bool empty() const { return waiting_.empty(); }
  size_t bytes() const { return bytes_; }
  const Outgoing& front() const { return waiting_.front(); }

  void pop() {
    bytes_ -= waiting_.front().bytes->size();
    waiting_.pop_front();
  }

 private:
  std::deque<Outgoing> waiting_;
  size_t bytes_ = 0;
};

}  // namespace skyline::serve
