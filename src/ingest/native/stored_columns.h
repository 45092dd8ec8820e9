// Every column of a trace that is kept whole, with its place in the file. Writer and loader go through the
// same list, which is that of trace/tables.schema, so what one stores the other finds.
#pragma once

#include <type_traits>

#include "trace/trace.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

// The trace's ids, categories and roles are plain integers in the file.
template <typename T>
struct StoredAs {
  using Type = T;
};
template <typename Tag>
struct StoredAs<Id<Tag>> {
  using Type = uint32_t;
};
template <>
struct StoredAs<Category> {
  using Type = uint8_t;
};
template <>
struct StoredAs<TensorRole> {
  using Type = uint8_t;
};
template <typename T>
using Stored = typename StoredAs<T>::Type;

template <typename T>
constexpr Stored<T> stored(T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return value;
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<Stored<T>>(value);
  } else {
    return value.value;
  }
}

template <typename T>
const Stored<T>* as_stored(const T* values) {
  static_assert(sizeof(Stored<T>) == sizeof(T) && std::is_trivially_copyable_v<T>);
  return reinterpret_cast<const Stored<T>*>(values);
}
template <typename T>
Stored<T>* as_stored(T* values) {
  static_assert(sizeof(Stored<T>) == sizeof(T) && std::is_trivially_copyable_v<T>);
  return reinterpret_cast<Stored<T>*>(values);
}

constexpr tracefile::Encoding encoding_of(Similarity similarity) {
  switch (similarity) {
    case Similarity::kNear:
      return tracefile::Encoding::kDelta;
    case Similarity::kSplit:
      return tracefile::Encoding::kSplit;
    case Similarity::kNearSplit:
      return tracefile::Encoding::kDeltaSplit;
    case Similarity::kNone:
      break;
  }
  return tracefile::Encoding::kPlain;
}

template <typename T>
constexpr tracefile::NumberColumn<Stored<T>> file_column(uint16_t table, const ColumnDecl<T>& spec) {
  return {{static_cast<tracefile::TableId>(table), spec.number, tracefile::element_type<Stored<T>>(),
           encoding_of(spec.similarity), spec.name, spec.doc},
          stored(spec.missing)};
}

// Calls visit(column of the file, declaration, column of the trace) for all; `T` is Trace or const Trace.
template <typename T, typename Visit>
void for_each_stored_column(T& trace, Visit&& visit) {
  for_each_table(
      [&]<typename Table>(const TableDecl& of, Table& table) {
        Table::for_each_column(
            [&](const auto& spec, auto& column) { visit(file_column(of.number, spec), spec, column); },
            table);
      },
      trace);
}

}  // namespace skyline::ingest::native
