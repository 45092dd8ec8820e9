// Sampled stacks as numbers: texts, lines of code and the tree of stacks, each once, with what is new since
// it was last written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"

namespace skyline::collect {

class SampleTree {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Frame {
    uint32_t file, function;  // texts
    int32_t line;
    bool operator==(const Frame&) const = default;
  };
  struct Stack {
    uint32_t parent, frame;
    bool operator==(const Stack&) const = default;
  };

  explicit SampleTree(size_t most = size_t{1} << 20) : most_(most) {}

  uint32_t text(std::string_view text) {
    const auto [found, is_new] =
        text_ids_.try_emplace(std::string(text), static_cast<uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(&found->first);
    return found->second;
  }
  uint32_t frame(const Frame& frame) { return add(frame, frames_, frame_ids_); }

  // A program may make ever new stacks: what is deeper than a full tree reaches counts as the stack around
  // it.
  uint32_t stack(uint32_t parent, uint32_t frame) {
    const Stack stack{parent, frame};
    if (stacks_.size() >= most_ && !stack_ids_.contains(stack)) {
      ++refused_;
      return parent;
    }
    return add(stack, stacks_, stack_ids_);
  }

  const std::string& text_of(uint32_t id) const { return *texts_[id]; }
  const std::vector<const std::string*>& texts() const { return texts_; }
  const std::vector<Frame>& frames() const { return frames_; }
  const std::vector<Stack>& stacks() const { return stacks_; }  // a parent stands before its children
  uint64_t refused() const { return refused_; }

 private:
  struct Hash {
    size_t operator()(const Frame& f) const {
      return mix_u64(uint64_t{f.file} << 32 | f.function, static_cast<uint32_t>(f.line) ^ 0x9e3779b97f4a7c15);
    }
    size_t operator()(const Stack& s) const {
      return mix_u64(uint64_t{s.parent} << 32 | s.frame, 0xd6e8feb86659fd93);
    }
  };

  template <typename T>
  static uint32_t add(const T& value, std::vector<T>& all, std::unordered_map<T, uint32_t, Hash>& ids) {
    const auto [found, is_new] = ids.try_emplace(value, static_cast<uint32_t>(all.size()));
    if (is_new) all.push_back(value);
    return found->second;
  }

  const size_t most_;
  uint64_t refused_ = 0;
  std::unordered_map<std::string, uint32_t> text_ids_;
  std::vector<const std::string*> texts_;
  std::vector<Frame> frames_;
  std::unordered_map<Frame, uint32_t, Hash> frame_ids_;
  std::vector<Stack> stacks_;
  std::unordered_map<Stack, uint32_t, Hash> stack_ids_;
};

}  // namespace skyline::collect
