#include "cli/views/report_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/median.h"
#include "cli/terminal/ink.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/units.h"
#include "cli/views/figure_view.h"
#include "cli/views/losses_view.h"
#include "cli/views/report_ranks.h"
#include "cli/views/table_view.h"
#include "cli/views/verdict_view.h"

namespace skyline::cli {
namespace {

std::string describe_steps(const analyze::RankDigest& rank) {
  const std::vector<int64_t>& durations = rank.step_ns;
  if (durations.empty()) return "no steps marked";
  if (durations.size() == 1) return fmt::format("1 step of {}", format_ns(durations.front()));
  return fmt::format("{} steps, median {} ({} to {})", format_count(durations.size()),
                     format_ns(lower_median(durations)), format_ns(durations.front()),
                     format_ns(durations.back()));
}

std::string describe_extent(const analyze::RankDigest& rank) {
  const auto events = static_cast<uint64_t>(integer_of(rank.figures, "trace.events").value_or(0));
  return fmt::format("{} · {} in {}", describe_steps(rank), format_counted(events, "event", "events"),
                     text_of(rank.figures, "trace.span"));
}

std::string describe_trace(const analyze::RankDigest& rank, const RankDetail& detail) {
  const bool has_place = rank.label.known && rank.world_size > 0;
  const std::string place =
      has_place ? fmt::format("rank {} of {} · ", rank.label.rank, rank.world_size) : "";
  return fmt::format("{}{} · {}", place, short_file_name(rank.label.file), detail.what);
}

// "512 samples/s from the DataLoader", or why that is not known.
std::string describe_samples(const analyze::RankDigest& rank) {
  if (rank.step_ns.empty()) return "samples/s not known without steps";
  const std::optional<int64_t> samples = integer_of(rank.figures, "training.samples");
  if (samples.value_or(0) > 0)
    return text_of(rank.figures, "training.samples_per_second") + " samples/s from the DataLoader";
  if (integer_of(rank.figures, "training.model_samples").value_or(0) > 0)
    return text_of(rank.figures, "training.samples_per_second") +
           " samples/s by the leading dimension of what the model is called with";
  if (samples) return "samples/s not known: no batch was fetched within steps";
  if (integer_of(rank.figures, "training.fetch").value_or(0) > 0)
    return "samples/s not known: the DataLoader's batches show no size";
  return "samples/s not known without a DataLoader";
}

// "1 optimizer · 4 micro-batches per step · 512 samples/s from the DataLoader · evaluation 1.200 s, not in
// steps"; empty when nothing of it is known.
std::string describe_training(const analyze::RankDigest& rank) {
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

std::string describe_cost(const analyze::RankDigest& rank) {
  if (!integer_of(rank.figures, "recording.cost")) return "";
  // Torch's part cannot be sampled; skyline run measures the whole on steps that follow unrecorded.
  return fmt::format(
      "the recorder's own work: {} per call, {} of {} (sampled); torch's calls to it cost several times that",
      text_of(rank.figures, "recording.cost_per_call"), text_of(rank.figures, "recording.cost_share"),
      rank.step_ns.empty() ? "the time" : "the steps' time");
}

std::string render_device(const analyze::RankDigest& rank, const LossCounts& losses, const Console& console) {
  if (integer_of(rank.figures, "device.activities").value_or(0) == 0) {
    const bool may_be_unknown = losses[Loss::kUnknownCategory].count > 0;
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
analyze::Table selection(const analyze::Table& table, const std::vector<std::string_view>& names,
                         size_t most_rows) {
  analyze::Table selected;
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

std::string render_tops(const RankDetail& rank, const Console& console, size_t most_rows) {
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

constexpr size_t kMostFindings = 3;

// What else was found, the best first; the first one is the report's sentence unless it is a note.
std::string render_findings(const analyze::Advice& advice, const Console& console) {
  const bool has_headline =
      !advice.found.empty() && advice.found.front().severity != analyze::FindingSeverity::kNote;
  const size_t first = has_headline ? 1 : 0;
  std::string out;
  for (size_t i = first; i < advice.found.size() && i < first + kMostFindings; ++i)
    out += render_wrapped("• " + printable(advice.found[i].sentence), console);
  if (advice.found.size() > first + kMostFindings) {
    out += render_wrapped(
        fmt::format("{} more with --format json.", advice.found.size() - first - kMostFindings), console);
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

}  // namespace

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

std::string render_rank(const analyze::RankDigest& rank, const RankDetail& detail, const Console& console,
                        size_t lines, size_t top_rows) {
  std::string out;
  const std::string bar = render_verdict_bar(rank.verdict, console);
  if (!bar.empty()) out += "\n" + bar;
  const std::string findings = render_findings(rank.advice, console);
  if (!findings.empty()) out += "\n" + findings;
  out += "\n" + render_wrapped(describe_trace(rank, detail), console) +
         render_wrapped(describe_extent(rank), console);
  for (const std::string& line : {describe_training(rank), describe_cost(rank)}) {
    if (!line.empty()) out += render_wrapped(line, console);
  }
  out += "\n" + render_device(rank, detail.losses, console);
  out += render_tops(detail, console, top_rows);
  out += "\n";
  const size_t used = count_lines(out);
  return out + render_losses_within(detail.losses, console, lines > used ? lines - used : 0);
}

std::string render_report_text(const Report& report, const Console& console) {
  if (report.details.size() > 1) return render_ranks(report, console);
  const analyze::RankDigest& rank = report.run.ranks().front();
  const RankDetail& detail = report.details.front();
  const std::string sentence = render_sentence(rank.verdict.sentence, console);
  // All rows that there are, or as many as leave the report on one screen.
  constexpr size_t kFewestRows = 3;
  std::string out;
  for (size_t rows = detail.ops.rows.size() + detail.kernels.rows.size(); out.empty() || rows >= kFewestRows;
       --rows) {
    out = sentence + render_rank(rank, detail, console, kScreenLines - count_lines(sentence), rows);
    if (count_lines(out) <= kScreenLines) break;
  }
  return out;
}

}  // namespace skyline::cli
