// OneBlock: memory for one handler of Asio's, had before it is needed, so that handing a finished answer to
// the network's thread cannot fail.
#pragma once

#include <array>
#include <cstddef>
#include <new>

namespace skyline::serve {

class OneBlock {
 public:
  template <typename T>
  class Allocator {
   public:
    using value_type = T;

    explicit Allocator(OneBlock& block) : block_(&block) {}
    template <typename U>
    Allocator(const Allocator<U>& other) : block_(other.block_) {}  // NOLINT: allocators convert

    T* allocate(size_t count) {
      const bool fits = count * sizeof(T) <= kBytes && alignof(T) <= alignof(std::max_align_t);
      if (!fits || block_->is_used_) return static_cast<T*>(::operator new(count * sizeof(T)));
      block_->is_used_ = true;
      return static_cast<T*>(static_cast<void*>(block_->bytes_.data()));
    }
    void deallocate(T* at, size_t) {
      if (static_cast<void*>(at) != block_->bytes_.data()) return ::operator delete(at);
      block_->is_used_ = false;
    }

    template <typename U>
    bool operator==(const Allocator<U>& other) const {
      return block_ == other.block_;
    }

   private:
    template <typename U>
    friend class Allocator;

    OneBlock* block_;
  };

 private:
  static constexpr size_t kBytes = 256;

  alignas(std::max_align_t) std::array<std::byte, kBytes> bytes_;
  bool is_used_ = false;
};

}  // namespace skyline::serve
