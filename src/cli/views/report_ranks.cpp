#include "cli/views/report_ranks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/median.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/units.h"
#include "cli/views/report_text.h"
#include "cli/views/verdict_view.h"

namespace skyline::cli {
namespace {

constexpr size_t kMostRanks = 16;
using Ranks = std::vector<const analyze::RankDigest*>;

std::string rank_name(const analyze::RankLabel& label) {
  return fmt::format("{}{}", label.rank, label.known ? "" : "?");
}

std::string render_part(const analyze::Verdict& verdict, size_t part) {
  if (verdict.judged_ns <= 0 || part >= verdict.parts.size()) return "–";
  return format_share(static_cast<double>(verdict.parts[part].time_ns) /
                      static_cast<double>(verdict.judged_ns));
}

std::string render_table(const Ranks& shown, const Console& console) {
  std::vector<TextColumn> columns = {
      {"Rank", Align::kRight}, {"Steps", Align::kRight}, {"Median step", Align::kRight}};
  // Ranks that cannot be judged have no parts.
  const auto is_judged = [](const analyze::RankDigest* rank) { return !rank->verdict.parts.empty(); };
  const auto judged_rank = std::find_if(shown.begin(), shown.end(), is_judged);
  const std::vector<analyze::VerdictPart> parts =
      judged_rank == shown.end() ? std::vector<analyze::VerdictPart>() : (*judged_rank)->verdict.parts;
  for (const analyze::VerdictPart& part : parts) {
    columns.push_back({std::string(title_of_part(part.name)), Align::kRight});
  }
  columns.push_back({"Waits for"});
  columns.push_back({"Losses", Align::kRight});
  TextTable table(std::move(columns));
  for (const analyze::RankDigest* rank : shown) {
    std::vector<std::string> row = {rank_name(rank->label), format_count(rank->step_ns.size()),
                                    rank->step_ns.empty() ? "–" : format_ns(lower_median(rank->step_ns))};
    for (size_t part = 0; part < parts.size(); ++part) row.push_back(render_part(rank->verdict, part));
    row.emplace_back(name_of(rank->verdict.waits_for));
    row.push_back(format_count(rank->dropped));
    table.add_row(std::move(row));
  }
  return table.render(console.width, console.color);
}

// Every trace has its own answer, and none is the worst.
std::string render_unrelated(const analyze::Run& run, const Console& console) {
  const std::vector<analyze::RankDigest>& ranks = run.ranks();
  std::string out = render_sentence(run.sentence(), console);
  Ranks shown;
  for (const analyze::RankDigest& rank : ranks) {
    if (shown.size() < kMostRanks) shown.push_back(&rank);
  }
  out += "\n" + render_table(shown, console) + "\n";
  const std::string more = shown.size() < ranks.size()
                               ? fmt::format("{} further traces are not shown. ", ranks.size() - shown.size())
                               : "";
  const std::string last =
      render_wrapped(more + "`skyline report TRACE` tells more of one; --format json has all.", console);
  for (const analyze::RankDigest* rank : shown) {
    const std::string number = rank->label.known ? "" : rank_name(rank->label) + " · ";
    const std::string answer = render_wrapped(
        fmt::format("{}{}: {}", number, title_of(rank->label), printable(rank->verdict.sentence)), console);
    if (count_lines(out + answer + last) + 1 > kScreenLines) break;
    out += answer;
  }
  return out + "\n" + last;
}

}  // namespace

std::string render_ranks(const Report& report, const Console& console) {
  const analyze::Run& run = report.run;
  if (!run.is_one_run()) return render_unrelated(run, console);

  const std::vector<size_t> by_need = run.by_need();
  std::vector<size_t> neediest = by_need;
  neediest.resize(std::min(neediest.size(), kMostRanks));
  std::sort(neediest.begin(), neediest.end());  // by rank again
  Ranks shown;
  for (const size_t rank : neediest) shown.push_back(&run.ranks()[rank]);

  std::string out = render_sentence(run.sentence(), console);
  out += "\n" + render_table(shown, console);
  if (shown.size() < by_need.size()) {
    out += fmt::format("{} ranks that compute more are not shown; --format json has all.\n",
                       by_need.size() - shown.size());
  }
  constexpr size_t kFewRows = 3;
  const size_t used = count_lines(out), first = by_need.front();
  return out + render_rank(run.ranks()[first], report.details[first], console,
                           kScreenLines > used ? kScreenLines - used : 0, kFewRows);
}

}  // namespace skyline::cli
