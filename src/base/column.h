// Column<T>: a growable array for plain values, the building block of the trace's tables.
//
// Unlike std::vector it grows with realloc, which for large blocks moves pages instead of bytes: a
// column of a gigabyte-sized trace never exists twice in memory. Elements are not initialised by
// resize_uninitialized(); everything else behaves as one expects of an array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/check.h"
#include "base/large_pages.h"

namespace skyline {

template <typename T>
class Column {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Column() = default;
  Column(Column&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Column& operator=(Column&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;
  ~Column() { std::free(data_); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }

  std::span<const T> span() const { return {data_, size_}; }

  void push_back(T value) {
    if (size_ == capacity_) [[unlikely]] {
      reserve(capacity_ < 64 ? 64 : capacity_ + capacity_ / 2);
    }
    data_[size_++] = value;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }

  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    if (capacity > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
    // Column<T>::data_ is only ever realloc'ed, so plain values survive the move.
    void* grown = std::realloc(static_cast<void*>(data_), capacity * sizeof(T));
    if (grown == nullptr) throw std::bad_alloc();
    if (capacity * sizeof(T) >= kLargeBlock) prefer_large_pages(grown, capacity * sizeof(T));
    data_ = static_cast<T*>(grown);
    capacity_ = capacity;
  }

  // Grows by doubling, so that a loop of small extensions stays linear.
  T* extend_uninitialized(size_t count) {
    const size_t old_size = size_;
    if (size_ + count > capacity_) {
      const size_t doubled = capacity_ + capacity_ / 2;
      reserve(size_ + count > doubled ? size_ + count : doubled);
    }
    size_ += count;
    return data_ + old_size;
  }

  void resize_uninitialized(size_t size) {
    reserve(size);
    size_ = size;
  }

  void assign(size_t size, T value) {
    resize_uninitialized(size);
    for (size_t i = 0; i < size; ++i) data_[i] = value;
  }

  // Gives unused capacity back; called once a table is complete.
  void shrink_to_fit() {
    if (capacity_ == size_ || size_ == 0) return;
    void* shrunk = std::realloc(static_cast<void*>(data_), size_ * sizeof(T));
    if (shrunk == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(shrunk);
    capacity_ = size_;
  }

  size_t bytes() const { return capacity_ * sizeof(T); }

  // Hands the memory on to a column of another type; this one is empty afterwards. Memory that is
  // used again need not be fetched from the system and cleared again.
  template <typename U>
  Column<U> recycle() && {
    Column<U> other;
    other.data_ = static_cast<U*>(static_cast<void*>(std::exchange(data_, nullptr)));
    other.capacity_ = std::exchange(capacity_, 0) * sizeof(T) / sizeof(U);
    size_ = 0;
    return other;
  }

 private:
  template <typename U>
  friend class Column;

  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace skyline
