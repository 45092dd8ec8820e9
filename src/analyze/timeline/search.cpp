#include "analyze/timeline/search.h"

#include <algorithm>
#include <atomic>

#include "base/parallel.h"

namespace skyline::analyze {
namespace {

constexpr size_t kSearchPiece = size_t{1} << 18;  // slices that a thread takes at once

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// `text` is in lower case.
bool contains_ignoring_case(std::string_view name, std::string_view text) {
  if (name.size() < text.size()) return false;
  for (size_t at = 0; at + text.size() <= name.size(); ++at) {
    size_t i = 0;
    while (i < text.size() && to_lower(name[at + i]) == text[i]) ++i;
    if (i == text.size()) return true;
  }
  return false;
}

// Per text of the trace whether it is one of the names that were found.
std::vector<uint8_t> matches(const Trace& trace, const SliceNames& names, std::string_view text,
                             unsigned threads) {
  std::string wanted(text);
  std::transform(wanted.begin(), wanted.end(), wanted.begin(), to_lower);
  std::vector<uint8_t> found(trace.strings.size());
  const std::span<const StringId> all = names.names();
  constexpr size_t kNames = 4096;
  parallel_for((all.size() + kNames - 1) / kNames, threads, [&](size_t piece) {
    const size_t end = std::min(all.size(), (piece + 1) * kNames);
    for (size_t i = piece * kNames; i < end; ++i) {
      found[all[i].value] = contains_ignoring_case(trace.strings[all[i]], wanted) ? 1 : 0;
    }
  });
  return found;
}

}  // namespace

SliceNames::SliceNames(const Trace& trace, unsigned threads) {
  const size_t count = trace.slices.size();
  std::vector<std::atomic<bool>> seen(trace.strings.size());
  parallel_for((count + kSearchPiece - 1) / kSearchPiece, threads, [&](size_t piece) {
    const size_t end = std::min(count, (piece + 1) * kSearchPiece);
    for (size_t i = piece * kSearchPiece; i < end; ++i) {
      const StringId name = trace.slices.name[i];
      if (!name.exists() || seen[name.value].load(std::memory_order_relaxed)) continue;
      seen[name.value].store(true, std::memory_order_relaxed);
    }
  });
  for (uint32_t i = 0; i < seen.size(); ++i) {
    if (seen[i].load(std::memory_order_relaxed)) names_.emplace_back(i);
  }
}

SearchResult search_slices(const Trace& trace, const SliceNames& names, std::string_view text, size_t limit,
                           unsigned threads) {
  if (text.empty()) return {};
  const std::vector<uint8_t> found = matches(trace, names, text, threads);
  const auto is_found = [&](uint32_t slice) {
    const StringId name = trace.slices.name[slice];
    return name.exists() && found[name.value] != 0;
  };

  // Pieces of the slices count; as they are sorted within a track, the first few of each track are enough.
  const size_t count = trace.slices.size();
  const size_t pieces = (count + kSearchPiece - 1) / kSearchPiece;
  std::vector<SearchResult> parts(pieces);
  parallel_for(pieces, threads, [&](size_t piece) {
    SearchResult& part = parts[piece];
    TrackId track;
    size_t taken = 0;
    for (auto i = static_cast<uint32_t>(piece * kSearchPiece);
         i < std::min(count, (piece + 1) * kSearchPiece); ++i) {
      if (!is_found(i)) continue;
      ++part.total;
      if (trace.slices.track[i] != track) taken = 0;
      track = trace.slices.track[i];
      if (taken++ < limit) part.slices.emplace_back(i);
    }
  });
  SearchResult result;
  for (const SearchResult& part : parts) {
    result.total += part.total;
    result.slices.insert(result.slices.end(), part.slices.begin(), part.slices.end());
  }
  const auto earlier = [&](SliceId a, SliceId b) {
    const int64_t start_a = trace.slices.start_ns[a.value], start_b = trace.slices.start_ns[b.value];
    return start_a != start_b ? start_a < start_b : a < b;
  };
  const size_t kept = std::min(limit, result.slices.size());
  std::partial_sort(result.slices.begin(), result.slices.begin() + static_cast<ptrdiff_t>(kept),
                    result.slices.end(), earlier);
  result.slices.resize(kept);
  return result;
}

}  // namespace skyline::analyze
