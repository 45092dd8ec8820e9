#include "session/profile/machine_pace.h"

#include <algorithm>
#include <cmath>

#include "base/median.h"

namespace skyline::session {
namespace {

constexpr size_t kLeastSizes = 3;
constexpr size_t kLeastRounds = 3;
constexpr int kTurns = 4;  // of taking medians away; later ones change nothing worth a thousandth

}  // namespace

std::vector<double> pace_of_rounds(std::span<const std::vector<int64_t>> visits) {
  size_t rounds = 0;
  for (const std::vector<int64_t>& of_size : visits) rounds = std::max(rounds, of_size.size());
  std::vector<double> log_pace(rounds, 0);
  if (visits.size() < kLeastSizes || rounds < kLeastRounds) return std::vector<double>(rounds, 1);

  const auto log_time = [&](size_t size, size_t round) {
    return std::log(static_cast<double>(std::max<int64_t>(visits[size][round], 1)));
  };
  std::vector<double> log_usual(visits.size(), 0);
  for (int turn = 0; turn < kTurns; ++turn) {
    for (size_t size = 0; size < visits.size(); ++size) {
      std::vector<double> left;
      for (size_t round = 0; round < visits[size].size(); ++round) {
        left.push_back(log_time(size, round) - log_pace[round]);
      }
      log_usual[size] = left.empty() ? 0 : median(left);
    }
    for (size_t round = 0; round < rounds; ++round) {
      std::vector<double> left;
      for (size_t size = 0; size < visits.size(); ++size) {
        if (round < visits[size].size()) left.push_back(log_time(size, round) - log_usual[size]);
      }
      log_pace[round] = left.size() < kLeastSizes ? 0 : median(left);
    }
  }
  const double usual = median(log_pace);
  for (double& pace : log_pace) pace = std::exp(pace - usual);
  return log_pace;
}

std::vector<int64_t> at_usual_pace(std::span<const int64_t> visits, std::span<const double> paces) {
  std::vector<int64_t> steady;
  for (size_t round = 0; round < visits.size(); ++round) {
    const double pace = round < paces.size() ? paces[round] : 1;
    steady.push_back(std::llround(static_cast<double>(visits[round]) / pace));
  }
  return steady;
}

}  // namespace skyline::session
