#include "cli/commands/explain_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/analyze.h"
#include "base/json_writer.h"
#include "cli/terminal/ink.h"
#include "cli/terminal/nearest.h"
#include "cli/terminal/printable.h"
#include "cli/views/losses_view.h"

namespace skyline::cli {
namespace {

struct Entry {
  std::string name;
  std::string unit;
  std::string definition;
  std::string_view column_kind = {};  // of columns: what becomes of them when rows are put together
};

struct Group {
  std::string name;       // "device", "ops"
  std::string_view kind;  // of its entries: "figure", "column", …
  std::string sentence;
  std::vector<Entry> entries;
};

std::string as_sentence(std::string_view clause) {
  std::string sentence(clause);
  if (sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
  return sentence + ".";
}

// Everything that has a name, from the registries.
std::vector<Group> all_groups() {
  std::vector<Group> groups;
  for (const analyze::FigureAnalysis& analysis : analyze::figure_analyses()) {
    Group group{std::string(analysis.name),
                "figure",
                fmt::format("{} Needs: {}.", analysis.sentence, analysis.needs),
                {}};
    for (const analyze::FigureDef& figure : analysis.figures) {
      group.entries.push_back(
          {std::string(figure.name), std::string(name_of(figure.unit)), std::string(figure.definition)});
    }
    groups.push_back(std::move(group));
  }
  for (const analyze::TableAnalysis& analysis : analyze::table_analyses()) {
    Group group{std::string(analysis.name),
                "column",
                fmt::format("{} Needs: {}.", analysis.sentence, analysis.needs),
                {}};
    for (const analyze::ColumnDef& column : analysis.columns) {
      group.entries.push_back({fmt::format("{}.{}", analysis.name, column.name),
                               std::string(name_of(column.unit)), std::string(column.definition),
                               name_of(column.kind)});
    }
    groups.push_back(std::move(group));
  }
  Group losses{"losses", "loss", "What could not be used of a trace, counted by kind.", {}};
  for (const LossKind& kind : kLosses) {
    losses.entries.push_back(
        {std::string(kind.name), std::string(name_of(kind.severity)), as_sentence(kind.sentence)});
  }
  groups.push_back(std::move(losses));
  return groups;
}

// The groups with only what is asked for: one entry, one group, or everything.
Result<std::vector<Group>> select(std::vector<Group> groups, const std::string& name) {
  if (name.empty()) return groups;
  std::vector<Group> of_that_name;  // figures and a table may share one
  std::copy_if(groups.begin(), groups.end(), std::back_inserter(of_that_name),
               [&](const Group& group) { return group.name == name; });
  if (!of_that_name.empty()) return of_that_name;
  std::vector<std::string_view> known;
  for (const Group& group : groups) {
    known.push_back(group.name);
    for (const Entry& entry : group.entries) {
      if (entry.name == name) return std::vector<Group>{{group.name, group.kind, group.sentence, {entry}}};
      known.push_back(entry.name);
    }
  }
  const std::string near = join_choices(nearest(name, known));
  return Error{
      fmt::format("there is no name '{}'; {}", name,
                  near.empty() ? "skyline explain lists them all" : fmt::format("did you mean {}?", near))};
}

std::string indented(std::string_view text, size_t indent, const Console& console) {
  std::string out;
  for (const std::string& line : wrap(text, console.width - indent)) {
    out += fmt::format("{}{}\n", std::string(indent, ' '), line);
  }
  return out;
}

std::string render_entry(const Entry& entry, const Console& console) {
  return fmt::format("{} ({}{}{})\n{}", paint(Ink::kStrong, entry.name, console.color), entry.unit,
                     entry.column_kind.empty() ? "" : ", ", entry.column_kind,
                     indented(entry.definition, 2, console));
}

std::string render_text(const std::vector<Group>& groups, bool only_entry, const Console& console) {
  if (only_entry) return render_entry(groups.front().entries.front(), console);
  std::string out;
  for (const Group& group : groups) {
    if (!out.empty()) out += "\n";
    out += indented(fmt::format("{}: {}", group.name, group.sentence), 0, console);
    for (const Entry& entry : group.entries) out += "\n" + render_entry(entry, console);
  }
  return out;
}

// All names of a group on as few lines as they need.
std::string render_names(const std::vector<Group>& groups, const Console& console) {
  std::string out;
  for (const Group& group : groups) {
    out += paint(Ink::kStrong, group.name, console.color) + "\n" + indented(group.sentence, 2, console);
    std::string names;
    for (const Entry& entry : group.entries) names += (names.empty() ? "" : ", ") + entry.name;
    out += indented(names, 4, console) + "\n";
  }
  return out + "skyline explain NAME tells more, of one name or of a whole group.\n";
}

std::string render_json(const std::vector<Group>& groups) {
  JsonWriter json;
  json.begin_object();
  json.field("schema", 1);
  json.field("command", "explain");
  json.key("names");
  json.begin_array();
  for (const Group& group : groups) {
    for (const Entry& entry : group.entries) {
      json.begin_object(JsonWriter::Layout::kInline);
      json.field("name", entry.name);
      json.field("kind", group.kind);
      json.field("group", group.name);
      json.field(group.kind == "loss" ? "severity" : "unit", entry.unit);
      if (!entry.column_kind.empty()) json.field("column_kind", entry.column_kind);
      json.field("definition", entry.definition);
      json.end_object();
    }
  }
  json.end_array();
  json.end_object();
  return std::move(json).finish();
}

}  // namespace

Result<Answer> run_explain(const Arguments& arguments, const Context& context) {
  SKYLINE_TRY(const std::vector<Group> groups, select(all_groups(), arguments.text(kNameArgument)));
  if (arguments.text(kFormatArgument) == "json") return Answer{.text = render_json(groups)};
  if (arguments.text(kNameArgument).empty()) return Answer{.text = render_names(groups, context.console)};
  const bool only_entry = groups.front().name != arguments.text(kNameArgument);
  return Answer{.text = render_text(groups, only_entry, context.console)};
}

}  // namespace skyline::cli
