// Stacks of the user's lines that other parts of the JSON point to by their number.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyze/analyze.h"
#include "base/json_writer.h"
#include "session/session.h"

namespace skyline::report {

class StackList {
 public:
  StackList(const Trace& trace, const std::string& project_root) : stacks_(trace), root_(project_root) {}

  // "stack": its number; null where no line of the user's is known.
  void write_number(JsonWriter& json, StackId stack) {
    const auto [known, is_new] = numbers_.try_emplace(stack, kNoRow);
    if (is_new) known->second = add(stacks_.of(stack));
    json.key("stack");
    if (known->second == kNoRow) {
      json.null();
    } else {
      json.value(known->second);
    }
  }

  // "stacks": all that were pointed to, in the order of their numbers.
  void write(JsonWriter& json) const {
    json.key("stacks");
    json.begin_array();
    for (const analyze::ProgramLines& lines : list_) {
      json.begin_array(JsonWriter::Layout::kInline);
      for (const analyze::ProgramLine& line : lines) {
        json.begin_object();
        json.field("file", session::in_project(line.file, root_));
        json.field("line", line.line);
        json.field("function", line.function);
        json.end_object();
      }
      json.end_array();
    }
    json.end_array();
  }

 private:
  // Stacks that differ inside of torch only are the same here.
  uint32_t add(analyze::ProgramLines lines) {
    if (lines.empty()) return kNoRow;
    std::string key;
    for (const analyze::ProgramLine& line : lines) {
      key.append(line.file).append("\n").append(std::to_string(line.line)).append("\n").append(line.function);
      key += '\n';
    }
    const auto [known, is_new] = same_.try_emplace(std::move(key), static_cast<uint32_t>(list_.size()));
    if (is_new) list_.push_back(std::move(lines));
    return known->second;
  }

  analyze::ProgramStacks stacks_;
  const std::string& root_;
  std::unordered_map<StackId, uint32_t, IdHash> numbers_;
  std::map<std::string, uint32_t> same_;
  std::vector<analyze::ProgramLines> list_;
};

}  // namespace skyline::report
