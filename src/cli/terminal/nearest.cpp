#include "cli/terminal/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace skyline::cli {
namespace {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::vector<std::string_view> nearest(std::string_view word, const std::vector<std::string_view>& known,
                                      size_t limit) {
  constexpr size_t kLongestWord = 64;
  std::vector<std::pair<size_t, std::string_view>> found;
  if (word.size() > kLongestWord) return {};
  const size_t tolerated = std::max<size_t>(1, (word.size() + 1) / 4);
  for (std::string_view candidate : known) {
    // Of a dotted name one may remember only the last part.
    const std::string_view tail = candidate.substr(candidate.rfind('.') + 1);
    const size_t distance = std::min(edit_distance(word, candidate), edit_distance(word, tail));
    const bool part = word.size() > 2 && candidate.find(word) != std::string_view::npos;
    if (distance <= tolerated || part) found.emplace_back(distance, candidate);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (found.size() > limit) found.resize(limit);
  std::vector<std::string_view> words;
  words.reserve(found.size());
  for (const auto& [distance, candidate] : found) words.push_back(candidate);
  return words;
}

std::string join_choices(const std::vector<std::string_view>& words, std::string_view conjunction) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0 && i + 1 == words.size()) {
      text.append(" ").append(conjunction).append(" ");
    } else if (i > 0) {
      text += ", ";
    }
    text += words[i];
  }
  return text;
}

}  // namespace skyline::cli
