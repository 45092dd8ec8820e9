// What is declared of a column besides its values. The declarations are in tables.schema; whatever treats
// columns alike (clear, append, reorder, check, keep in a file, dump) goes through for_each_column and needs
// no list of its own.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/column.h"
#include "base/ids.h"
#include "trace/category.h"

namespace skyline {

inline constexpr uint64_t kNoCorrelation = UINT64_MAX;
inline constexpr uint32_t kNoRow = UINT32_MAX;
inline constexpr int64_t kUnknownBytes = INT64_MIN;  // of byte counts, which may be negative

// What a tensor is to the program that keeps it; the numbers are those of the file.
enum class TensorRole : uint8_t { kWeight = 0, kBuffer = 1, kGradient = 2, kOptimizerState = 3, kInput = 4 };
inline constexpr size_t kTensorRoles = 5;

// How values of neighbouring rows are alike, for whoever packs them.
enum class Similarity : uint8_t { kNone, kNear, kSplit, kNearSplit };

enum class Filled : uint8_t {
  kRead,    // by every reader, in every row
  kFrozen,  // by TraceBuilder::freeze(); empty before
  kIfAny,   // by readers, unless no row has it: then the column is empty
};

template <typename T>
struct ColumnDecl {
  uint16_t number;  // in files, never used again for another
  std::string_view name;
  Similarity similarity;
  Filled filled;
  bool may_be_missing;
  T missing;  // if it may
  std::string_view doc;
};

struct TableDecl {
  uint16_t number;  // in files
  std::string_view name;
  std::string_view doc;
};

// Adds a value to a column that stays empty until a row has one. `row`: the number of rows before it.
template <typename T>
void add_if_any(Column<T>& column, T value, const ColumnDecl<T>& spec, size_t row) {
  if (column.empty() && value == spec.missing) return;
  while (column.size() < row) column.push_back(spec.missing);
  column.push_back(value);
}

template <typename... Tables>
void clear_tables(Tables&... tables) {
  (Tables::for_each_column([](const auto&, auto& column) { column.clear(); }, tables), ...);
}

}  // namespace skyline
