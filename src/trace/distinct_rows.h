// Tables in which every combination of values stands once: finds the row that says the same, or adds one.
// Numbers are given in order of first appearance.
#pragma once

#include <bit>
#include <type_traits>

#include "base/column.h"
#include "base/hash.h"

namespace skyline {

template <typename Table>
class DistinctRows {
 public:
  template <typename Row>
  uint32_t add(Table& table, const Row& row) {
    if (table.size() * 2 >= slots_.size()) grow(table);
    size_t slot = hash_of(row) & (slots_.size() - 1);
    while (slots_[slot] != kFree) {
      if (table.row(slots_[slot]) == row) return slots_[slot];
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return slots_[slot] = table.add(row);
  }

  // For a table that was cleared.
  void clear() { slots_.assign(slots_.size(), kFree); }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;

  template <typename T>
  static uint64_t bits_of(T value) {
    if constexpr (std::is_same_v<T, double>) {
      return std::bit_cast<uint64_t>(value);
    } else if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<uint64_t>(value);
    } else {
      return value.value;
    }
  }

  template <typename Row>
  static uint64_t hash_of(const Row& row) {
    uint64_t hash = 0x9e3779b97f4a7c15;
    Table::for_each_value(row,
                          [&](auto value) { hash = mix_u64(hash ^ bits_of(value), 0xd6e8feb86659fd93); });
    return hash;
  }

  void grow(const Table& table) {
    slots_.assign(slots_.size() < 64 ? 128 : slots_.size() * 2, kFree);
    for (uint32_t i = 0; i < table.size(); ++i) {
      size_t slot = hash_of(table.row(i)) & (slots_.size() - 1);
      while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = i;
    }
  }

  Column<uint32_t> slots_;  // open addressing: rows
};

}  // namespace skyline
