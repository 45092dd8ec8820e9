#include "cli/views/verdict_view.h"

#include <array>

#include "cli/terminal/stacked_bar.h"

namespace skyline::cli {
namespace {

struct PartLook {
  std::string_view name;
  std::string_view title;
  std::string_view glyph;
  Ink ink;
};

// One look per part, the same in every picture.
constexpr std::array<PartLook, 6> kLooks = {{
    {"device compute", "Compute", "█", Ink::kCompute},
    {"communication", "Comm.", "▓", Ink::kCommunication},
    {"copy", "Copy", "▒", Ink::kCopy},
    {"input", "Input", "▚", Ink::kInput},
    {"host communication", "Host comm.", "▞", Ink::kCommunication},
    {"host", "Host", "░", Ink::kHost},
}};
constexpr PartLook kOtherLook = {"", "Other", "·", Ink::kIdle};

const PartLook& look_of(std::string_view part) {
  for (const PartLook& look : kLooks) {
    if (look.name == part) return look;
  }
  return kOtherLook;
}

}  // namespace

std::string_view name_of(analyze::WaitsFor waits_for) {
  switch (waits_for) {
    case analyze::WaitsFor::kInput:
      return "input";
    case analyze::WaitsFor::kHost:
      return "host";
    case analyze::WaitsFor::kDevice:
      return "device";
    case analyze::WaitsFor::kCommunication:
      return "communication";
    case analyze::WaitsFor::kUnknown:
      return "unknown";
  }
  return "";
}

std::string_view title_of_part(std::string_view part) { return look_of(part).title; }

std::string render_verdict_bar(const analyze::Verdict& verdict, const Console& console) {
  std::vector<BarPart> parts;
  for (const analyze::VerdictPart& part : verdict.parts) {
    const PartLook& look = look_of(part.name);
    parts.push_back({std::string(part.name), part.time_ns, look.glyph, look.ink});
  }
  return render_stacked_bar(parts, console.width, console.color);
}

void write_verdict(JsonWriter& json, const analyze::Verdict& verdict) {
  json.key("verdict");
  json.begin_object();
  json.field("waits_for", name_of(verdict.waits_for));
  json.field("share", verdict.share);
  json.field("sentence", verdict.sentence);
  json.field("judged_ns", verdict.judged_ns);
  json.key("parts");
  json.begin_array();
  for (const analyze::VerdictPart& part : verdict.parts) {
    json.begin_object(JsonWriter::Layout::kInline);
    json.field("name", part.name);
    json.field("time_ns", part.time_ns);
    json.field("definition", part.definition);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace skyline::cli
