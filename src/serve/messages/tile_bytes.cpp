#include "serve/messages/tile_bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/utf8.h"

namespace skyline::serve {
namespace {

static_assert(std::endian::native == std::endian::little, "columns are copied as they are");

// Kernels have names of thousands of characters; nobody reads more than this within a rectangle.
constexpr size_t kLongestName = 120;

}  // namespace

TileBytes::TileBytes(const Trace& trace, size_t tiles) : trace_(trace) {
  put_u32(static_cast<uint32_t>(tiles));
  put_u32(0);
}

void TileBytes::put_u32(uint32_t value) {
  bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <typename T, typename Values, typename Get>
void TileBytes::put_column(const Values& values, Get get) {
  const size_t begin = bytes_.size(), size = values.size() * sizeof(T);
  bytes_.resize(begin + (size + 7) / 8 * 8);
  char* to = bytes_.data() + begin;
  for (const auto& each : values) {
    const T value = static_cast<T>(get(each));
    std::memcpy(to, &value, sizeof(T));
    to += sizeof(T);
  }
}

void TileBytes::add_track(uint32_t track, std::span<const analyze::TimelineEntry> entries,
                          const analyze::TimelineKinds& kinds, int64_t named_ns) {
  const SliceTable& slices = trace_.slices;
  std::vector<StringId> names;
  for (const analyze::TimelineEntry& entry : entries) {
    if (entry.end_ns - entry.start_ns >= named_ns) names.push_back(slices.name[entry.slice.value]);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string texts;
  std::vector<uint32_t> ends;
  for (const StringId name : names) {
    texts += prefix_utf8(trace_.strings[name], kLongestName);
    ends.push_back(static_cast<uint32_t>(texts.size()));
  }

  put_u32(track);
  put_u32(static_cast<uint32_t>(entries.size()));
  put_u32(static_cast<uint32_t>(names.size()));
  put_u32(static_cast<uint32_t>(texts.size()));
  using Entry = analyze::TimelineEntry;
  put_column<double>(entries, [](const Entry& e) { return e.start_ns; });
  put_column<double>(entries, [](const Entry& e) { return e.end_ns; });
  put_column<uint32_t>(entries, [](const Entry& e) { return e.slice.value; });
  put_column<uint32_t>(entries, [&](const Entry& e) { return slices.name[e.slice.value].value; });
  put_column<uint32_t>(entries, [](const Entry& e) { return e.slices; });
  put_column<uint16_t>(entries, [](const Entry& e) { return e.row; });
  put_column<uint8_t>(entries, [&](const Entry& e) { return kinds.of(e.slice); });
  put_column<uint32_t>(names, [](StringId name) { return name.value; });
  put_column<uint32_t>(ends, [](uint32_t end) { return end; });
  put_column<uint8_t>(texts, [](char c) { return c; });
}

void TileBytes::add_counter(uint32_t counter, std::span<const analyze::CounterPoint> points) {
  put_u32(counter);
  put_u32(static_cast<uint32_t>(points.size()));
  put_column<double>(points, [](const analyze::CounterPoint& p) { return p.time_ns; });
  put_column<double>(points, [](const analyze::CounterPoint& p) { return p.low; });
  put_column<double>(points, [](const analyze::CounterPoint& p) { return p.high; });
  put_column<double>(points, [](const analyze::CounterPoint& p) { return p.last; });
}

}  // namespace skyline::serve
