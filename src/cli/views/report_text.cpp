// The report for people: the answer, one picture of the whole, then what one would ask next.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/median.h"
#include "cli/terminal/ink.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/units.h"
#include "cli/views/figure_view.h"
#include "cli/views/losses_view.h"
#include "cli/views/report.h"
#include "cli/views/table_view.h"
#include "cli/views/verdict_view.h"

namespace skyline {
namespace {

constexpr size_t kScreenLines = 40;
constexpr size_t kMostRanks = 16;

size_t count_lines(std::string_view text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::string render_wrapped(std::string_view text, const Console& console) {
  std::string out;
  for (const std::string& line : wrap(text, console.width)) out += line + "\n";
  return out;
}

std::string render_sentence(std::string_view sentence, const Console& console) {
  std::string out;
  for (const std::string& line : wrap(printable(sentence), console.width)) {
    out += paint(Ink::kStrong, line, console.color) + "\n";
  }
  return out;
}

std::vector<int64_t> sorted_durations(const Table& steps) {
  const auto is_duration = [](const ColumnDef& column) { return column.name == "duration"; };
  const auto column =
      std::find_if(steps.columns.begin(), steps.columns.end(), is_duration) - steps.columns.begin();
  std::vector<int64_t> durations;
  for (const std::vector<Cell>& row : steps.rows) {
    durations.push_back(std::get<int64_t>(row[static_cast<size_t>(column)]));
  }
  std::sort(durations.begin(), durations.end());
  return durations;
}

std::string describe_steps(const RankReport& rank) {
  const std::vector<int64_t> durations = sorted_durations(rank.steps);
  if (durations.empty()) return "no steps marked";
  if (durations.size() == 1) return fmt::format("1 step of {}", format_ns(durations.front()));
  return fmt::format("{} steps, median {} ({} to {})", format_count(durations.size()),
                     format_ns(lower_median(durations)), format_ns(durations.front()),
                     format_ns(durations.back()));
}

std::string describe_extent(const RankReport& rank) {
  const auto events = static_cast<uint64_t>(integer_of(rank.figures, "trace.events").value_or(0));
  return fmt::format("{} · {} in {}", describe_steps(rank), format_counted(events, "event", "events"),
                     text_of(rank.figures, "trace.span"));
}

std::string describe_trace(const RankReport& rank) {
  const bool has_place = rank.label.known && rank.world_size > 0;
  const std::string place =
      has_place ? fmt::format("rank {} of {} · ", rank.label.rank, rank.world_size) : "";
  return fmt::format("{}{} · {}", place, short_file_name(rank.label), rank.what);
}

// "512 samples/s from the DataLoader", or why that is not known.
std::string describe_samples(const RankReport& rank) {
  if (rank.steps.rows.empty()) return "samples/s not known without steps";
  const std::optional<int64_t> samples = integer_of(rank.figures, "training.samples");
  if (samples.value_or(0) > 0)
    return text_of(rank.figures, "training.samples_per_second") + " samples/s from the DataLoader";
  if (samples) return "samples/s not known: no batch was fetched within steps";
  if (integer_of(rank.figures, "training.fetch").value_or(0) > 0)
    return "samples/s not known: the DataLoader's batches show no size";
  return "samples/s not known without a DataLoader";
}

// "1 optimizer · 4 micro-batches per step · 512 samples/s from the DataLoader · evaluation 1.200 s, not in
// steps"; empty when nothing of it is known.
std::string describe_training(const RankReport& rank) {
  const auto whole = [&](std::string_view name) { return integer_of(rank.figures, name); };
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " · ") + part; };
  const std::optional<int64_t> optimizers = whole("training.optimizers");
  if (optimizers) add(format_counted(static_cast<uint64_t>(*optimizers), "optimizer", "optimizers"));
  const std::optional<int64_t> batches = whole("training.micro_batches");
  if (batches && (optimizers || *batches > 1)) {
    add(format_counted(static_cast<uint64_t>(*batches), "micro-batch", "micro-batches") + " per step");
  }
  if (optimizers) add(describe_samples(rank));
  if (whole("training.evaluation").value_or(0) > 0) {
    add("evaluation " + text_of(rank.figures, "training.evaluation") + ", not in steps");
  }
  return text;
}

std::string describe_cost(const RankReport& rank) {
  if (!integer_of(rank.figures, "recording.cost")) return "";
  return fmt::format("recording cost {} per call, {} of the time (sampled)",
                     text_of(rank.figures, "recording.cost_per_call"),
                     text_of(rank.figures, "recording.cost_share"));
}

std::string render_device(const RankReport& rank, const Console& console) {
  if (integer_of(rank.figures, "device.activities").value_or(0) == 0) {
    const bool may_be_unknown = rank.losses[Loss::kUnknownCategory].count > 0;
    return render_wrapped(
        may_be_unknown ? "No device activities of a category that Skyline knows."
                       : "No device activities: a run without a device, or recorded without its activities.",
        console);
  }
  struct Shown {
    std::string_view title, time, share;
  };
  static constexpr std::array<Shown, 5> kShown = {{
      {"Busy", "device.busy", "device.busy_share"},
      {"Compute", "device.compute", "device.compute_share"},
      {"Exposed comm.", "device.exposed_communication", "device.exposed_communication_share"},
      {"Exposed copy", "device.exposed_copy", "device.exposed_copy_share"},
      {"Idle", "device.idle", "device.idle_share"},
  }};
  std::vector<TextColumn> columns = {{"Device"}};
  std::vector<std::string> times = {"time"};
  std::vector<std::string> shares = {fmt::format("of {}", text_of(rank.figures, "device.window"))};
  for (const Shown& shown : kShown) {
    columns.push_back({std::string(shown.title), Align::kRight});
    times.push_back(text_of(rank.figures, shown.time));
    shares.push_back(text_of(rank.figures, shown.share));
  }
  TextTable table(std::move(columns));
  table.add_row(std::move(times));
  table.add_row(std::move(shares));
  return table.render(console.width, console.color);
}

// A table with some of the columns and rows of another.
Table selection(const Table& table, const std::vector<std::string_view>& names, size_t most_rows) {
  Table selected;
  selected.rows.resize(std::min(table.rows.size(), most_rows));
  for (std::string_view name : names) {
    for (size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].name != name) continue;
      selected.columns.push_back(table.columns[i]);
      for (size_t row = 0; row < selected.rows.size(); ++row)
        selected.rows[row].push_back(table.rows[row][i]);
    }
  }
  return selected;
}

std::string render_tops(const RankReport& rank, const Console& console, size_t most_rows) {
  const bool has_device = !rank.kernels.rows.empty();
  std::string out;
  if (!rank.ops.rows.empty()) {
    // What the rows are ordered by comes first.
    std::vector<std::string_view> columns = {"name", "calls"};
    if (has_device) columns.insert(columns.end(), {"device_self", "device_self_share"});
    columns.insert(columns.end(), {"host_self", "host_self_share"});
    out += "\n" + render_table(selection(rank.ops, columns, most_rows), console);
  }
  if (has_device) {
    const std::vector<std::string_view> columns = {"name", "calls", "mean", "total", "share", "op"};
    out += "\n" + render_table(selection(rank.kernels, columns, most_rows), console);
  }
  return out;
}

// As many kinds as the screen has room for, at least one.
std::string render_losses_within(const LossCounts& losses, const Console& console, size_t lines) {
  for (size_t kinds = kLosses.size(); kinds > 1; --kinds) {
    std::string text = render_losses(losses, console, kinds);
    if (count_lines(text) <= lines) return text;
  }
  return render_losses(losses, console, 1);
}

// Everything about one rank below its sentence.
std::string render_body(const RankReport& rank, const Console& console, size_t lines, size_t top_rows) {
  std::string out;
  const std::string bar = render_verdict_bar(rank.verdict, console);
  if (!bar.empty()) out += "\n" + bar;
  out +=
      "\n" + render_wrapped(describe_trace(rank), console) + render_wrapped(describe_extent(rank), console);
  for (const std::string& line : {describe_training(rank), describe_cost(rank)}) {
    if (!line.empty()) out += render_wrapped(line, console);
  }
  out += "\n" + render_device(rank, console);
  out += render_tops(rank, console, top_rows);
  out += "\n";
  const size_t used = count_lines(out);
  return out + render_losses_within(rank.losses, console, lines > used ? lines - used : 0);
}

// ---- Several ranks. --------------------------------------------------------------------------

double compute_share(const RankReport& rank) {
  const Verdict& verdict = rank.verdict;
  if (verdict.judged_ns <= 0 || verdict.parts.empty()) return 0;
  return static_cast<double>(verdict.parts.front().time_ns) / static_cast<double>(verdict.judged_ns);
}

// Whose device computes least; of equals the slower one.
bool is_worse(const RankReport* a, const RankReport* b) {
  if (compute_share(*a) != compute_share(*b)) return compute_share(*a) < compute_share(*b);
  return a->verdict.judged_ns > b->verdict.judged_ns;
}

std::string rank_name(const RankLabel& label) {
  return fmt::format("{}{}", label.rank, label.known ? "" : "?");
}

std::string render_ranks(const std::vector<const RankReport*>& shown, const Console& console) {
  std::vector<TextColumn> columns = {
      {"Rank", Align::kRight}, {"Steps", Align::kRight}, {"Median step", Align::kRight}};
  // Ranks that cannot be judged have no parts.
  const auto is_judged = [](const RankReport* rank) { return !rank->verdict.parts.empty(); };
  const auto judged_rank = std::find_if(shown.begin(), shown.end(), is_judged);
  const std::vector<VerdictPart> parts =
      judged_rank == shown.end() ? std::vector<VerdictPart>() : (*judged_rank)->verdict.parts;
  for (const VerdictPart& part : parts) {
    columns.push_back({std::string(title_of_part(part.name)), Align::kRight});
  }
  columns.push_back({"Waits for"});
  columns.push_back({"Losses", Align::kRight});
  TextTable table(std::move(columns));
  for (const RankReport* rank : shown) {
    const std::vector<int64_t> durations = sorted_durations(rank->steps);
    std::vector<std::string> row = {rank_name(rank->label), format_count(durations.size()),
                                    durations.empty() ? "–" : format_ns(lower_median(durations))};
    for (size_t i = 0; i < parts.size(); ++i) {
      const Verdict& verdict = rank->verdict;
      const bool judged = verdict.judged_ns > 0 && i < verdict.parts.size();
      row.push_back(judged ? format_share(static_cast<double>(verdict.parts[i].time_ns) /
                                          static_cast<double>(verdict.judged_ns))
                           : "–");
    }
    row.emplace_back(name_of(rank->verdict.waits_for));
    row.push_back(format_count(rank->losses.total(Severity::kDataLoss)));
    table.add_row(std::move(row));
  }
  return table.render(console.width, console.color);
}

// Each says which rank it is, and none says the same as another: so they can be of one run.
bool can_be_compared(const std::vector<RankReport>& ranks) {
  std::set<int64_t> seen;
  return std::all_of(ranks.begin(), ranks.end(), [&](const RankReport& rank) {
    return rank.label.known && seen.insert(rank.label.rank).second;
  });
}

// Traces that may have nothing to do with each other: every one has its own answer, and none is the worst.
std::string render_unrelated(const std::vector<RankReport>& ranks, const Console& console) {
  std::string out = render_sentence(
      fmt::format("{} traces that are not known to be ranks of one run, so they are not compared.",
                  ranks.size()),
      console);
  std::vector<const RankReport*> shown;
  for (const RankReport& rank : ranks) {
    if (shown.size() < kMostRanks) shown.push_back(&rank);
  }
  out += "\n" + render_ranks(shown, console) + "\n";
  const std::string more = shown.size() < ranks.size()
                               ? fmt::format("{} further traces are not shown. ", ranks.size() - shown.size())
                               : "";
  const std::string last =
      render_wrapped(more + "`skyline report TRACE` tells more of one; --format json has all.", console);
  for (const RankReport* rank : shown) {
    const std::string number = rank->label.known ? "" : rank_name(rank->label) + " · ";
    const std::string answer = render_wrapped(
        fmt::format("{}{}: {}", number, title_of(rank->label), printable(rank->verdict.sentence)), console);
    if (count_lines(out + answer + last) + 1 > kScreenLines) break;
    out += answer;
  }
  return out + "\n" + last;
}

std::string render_several(const std::vector<RankReport>& ranks, const Console& console) {
  std::vector<const RankReport*> by_need;
  by_need.reserve(ranks.size());
  for (const RankReport& rank : ranks) by_need.push_back(&rank);
  std::stable_sort(by_need.begin(), by_need.end(), is_worse);
  const RankReport& worst = *by_need.front();

  std::string out = render_sentence(fmt::format("Of {} ranks, rank {} computes least. {}", ranks.size(),
                                                worst.label.rank, worst.verdict.sentence),
                                    console);
  std::vector<const RankReport*> shown = by_need;
  if (shown.size() > kMostRanks) shown.resize(kMostRanks);
  std::stable_sort(shown.begin(), shown.end(),
                   [](const RankReport* a, const RankReport* b) { return a->label.rank < b->label.rank; });
  out += "\n" + render_ranks(shown, console);
  if (shown.size() < ranks.size()) {
    out += fmt::format("{} ranks that compute more are not shown; --format json has all.\n",
                       ranks.size() - shown.size());
  }
  constexpr size_t kFewRows = 3;
  const size_t used = count_lines(out);
  return out + render_body(worst, console, kScreenLines > used ? kScreenLines - used : 0, kFewRows);
}

}  // namespace

std::string render_report_text(const std::vector<RankReport>& ranks, const Console& console) {
  if (ranks.size() > 1 && !can_be_compared(ranks)) return render_unrelated(ranks, console);
  if (ranks.size() > 1) return render_several(ranks, console);
  const RankReport& rank = ranks.front();
  const std::string sentence = render_sentence(rank.verdict.sentence, console);
  return sentence + render_body(rank, console, kScreenLines - count_lines(sentence),
                                rank.ops.rows.size() + kScreenLines);
}

}  // namespace skyline
