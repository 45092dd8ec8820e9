#include "collect/log/definitions.h"

#include <algorithm>

#include <cstdlib>
#include <sstream>
#include <string_view>

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;
using table::TableId;

std::vector<std::string> texts_of(const InternTable& texts, const std::vector<uint32_t>& ids) {
  std::vector<std::string> found;
  found.reserve(ids.size());
  for (const uint32_t id : ids) found.push_back(texts.text(id));
  return found;
}

}  // namespace

uint32_t Definitions::string_id(const std::string& text) {
  const uint32_t id = names_.intern(text).id;
  want_name(id);
  return id;
}

// Collectives first: they name texts.
void Definitions::write_to(ChunkSink& sink) {
  write_collectives(sink);
  write_names(sink);
  write_shapes(sink);
}

void Definitions::write_names(ChunkSink& sink) {
  if (new_names_.empty()) return;
  const std::vector<std::string> texts = texts_of(names_, new_names_);
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  table::ChunkBuilder& chunk = sink.begin(TableId::kStrings);
  chunk.add(table::strings::kId, new_names_);
  chunk.add(table::strings::kText, views);
  sink.append();
  new_names_.clear();
}

// A signature is dims, types, strides and, where they are recorded, values, separated by tabs.
void Definitions::write_shapes(ChunkSink& sink) {
  if (new_shapes_.empty()) return;
  const std::vector<std::string> texts = texts_of(shapes_, new_shapes_);
  std::vector<std::string_view> dims, types, strides, values;
  for (const std::string_view text : texts) {
    const size_t first = text.find('\t'), second = text.find('\t', first + 1);
    const size_t third = std::min(text.find('\t', second + 1), text.size());
    dims.push_back(text.substr(0, first));
    types.push_back(text.substr(first + 1, second - first - 1));
    strides.push_back(text.substr(second + 1, third - second - 1));
    values.push_back(text.substr(std::min(third + 1, text.size())));
  }
  const bool has_values = std::any_of(values.begin(), values.end(), [](auto text) { return !text.empty(); });
  table::ChunkBuilder& chunk = sink.begin(TableId::kShapes);
  chunk.add(table::shapes::kId, new_shapes_);
  chunk.add(table::shapes::kDims, dims);
  chunk.add(table::shapes::kTypes, types);
  chunk.add(table::shapes::kStrides, strides);
  if (has_values) chunk.add(table::shapes::kValues, values);
  sink.append();
  new_shapes_.clear();
}

// As describe_collective() says them: four texts and three numbers, separated by tabs.
void Definitions::write_collectives(ChunkSink& sink) {
  if (new_collectives_.empty()) return;
  std::vector<uint32_t> columns[4];  // name, dtype, group name, group ranks
  std::vector<int64_t> numbers[3];   // elements in, elements out, group size
  for (const std::string& text : texts_of(collectives_, new_collectives_)) {
    std::istringstream fields(text);
    std::string field;
    for (std::vector<uint32_t>& column : columns) {
      std::getline(fields, field, '\t');
      column.push_back(string_id(field));
    }
    for (std::vector<int64_t>& column : numbers) {
      std::getline(fields, field, '\t');
      column.push_back(std::strtoll(field.c_str(), nullptr, 10));
    }
  }
  write_names(sink);
  table::ChunkBuilder& chunk = sink.begin(TableId::kCollectives);
  chunk.add(table::collectives::kId, new_collectives_);
  chunk.add(table::collectives::kName, columns[0]);
  chunk.add(table::collectives::kDtype, columns[1]);
  chunk.add(table::collectives::kGroupName, columns[2]);
  chunk.add(table::collectives::kGroupRanks, columns[3]);
  chunk.add(table::collectives::kInElements, numbers[0]);
  chunk.add(table::collectives::kOutElements, numbers[1]);
  chunk.add(table::collectives::kGroupSize, numbers[2]);
  sink.append();
  new_collectives_.clear();
}

}  // namespace skyline::collect
