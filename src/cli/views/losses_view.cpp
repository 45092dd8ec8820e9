#include "cli/views/losses_view.h"

#include <fmt/format.h>

#include <vector>

#include "cli/terminal/ink.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/units.h"

namespace skyline::cli {
namespace {

std::vector<const LossKind*> found_kinds(const LossCounts& losses) {
  std::vector<const LossKind*> found;
  for (Severity severity : {Severity::kDataLoss, Severity::kNotice}) {
    for (const LossKind& kind : kLosses) {
      if (kind.severity == severity && losses[kind.loss].count > 0) found.push_back(&kind);
    }
  }
  return found;
}

std::string_view heading_of(Severity severity) {
  return severity == Severity::kDataLoss ? "Dropped (missing from the figures)"
                                         : "Notices (figures are not affected)";
}

}  // namespace

std::string_view name_of(Severity severity) {
  return severity == Severity::kDataLoss ? "data loss" : "notice";
}

std::string render_losses(const LossCounts& losses, const Console& console, size_t most_kinds) {
  const std::vector<const LossKind*> kinds = found_kinds(losses);
  if (kinds.empty()) return paint(Ink::kFaint, "Nothing was dropped.", console.color) + "\n";
  std::string out;
  const LossKind* before = nullptr;
  for (size_t i = 0; i < kinds.size() && i < most_kinds; ++i) {
    const LossKind& kind = *kinds[i];
    if (before == nullptr || before->severity != kind.severity) {
      const Ink ink = kind.severity == Severity::kDataLoss ? Ink::kError : Ink::kStrong;
      out += paint(ink, heading_of(kind.severity), console.color) + "\n";
    }
    before = &kind;
    const LossCounts::Entry& entry = losses[kind.loss];
    const std::string line =
        fmt::format("{} × {}, first at byte {}: {}", format_count(entry.count), kind.name,
                    format_count(entry.first_offset), printable(sentence_of(kind, losses)));
    std::string indent = "  ";
    for (const std::string& part : wrap(line, console.width - 4)) {
      out += fmt::format("{}{}\n", indent, part);
      indent = "    ";
    }
  }
  if (kinds.size() > most_kinds) {
    out += fmt::format("  and {}; skyline info shows all\n",
                       format_counted(kinds.size() - most_kinds, "further kind", "further kinds"));
  }
  return out;
}

std::string losses_sentence(const LossCounts& losses) {
  std::string sentence;
  for (const LossKind* kind : found_kinds(losses)) {
    sentence += fmt::format("{}{} × {}", sentence.empty() ? "" : ", ", format_count(losses[kind->loss].count),
                            kind->name);
  }
  return sentence;
}

void write_losses(JsonWriter& json, const LossCounts& losses) {
  json.key("losses");
  json.begin_array();
  for (const LossKind* kind : found_kinds(losses)) {
    json.begin_object(JsonWriter::Layout::kInline);
    json.field("name", kind->name);
    json.field("severity", name_of(kind->severity));
    json.field("count", losses[kind->loss].count);
    json.field("first_offset", losses[kind->loss].first_offset);
    json.field("sentence", sentence_of(*kind, losses));
    json.end_object();
  }
  json.end_array();
}

}  // namespace skyline::cli
