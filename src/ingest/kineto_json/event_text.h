// Writing events as Kineto writes them: the same layout, so that whatever reads Kineto's files reads ours.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace skyline::ingest::kineto_json {

// With quotes and escapes; `text` is valid UTF-8.
void append_quoted(std::string_view text, std::string& out);

// Ids are texts in the trace; those that are plain decimal numbers were numbers in the file.
void append_id(std::string_view id, std::string& out);

// Nanoseconds as microseconds with three digits behind the point.
void append_time(int64_t ns, std::string& out);

// The members of an "args" object.
class ArgsText {
 public:
  void add(std::string_view key, int64_t value) { add_json(key, std::to_string(value)); }
  void add(std::string_view key, uint64_t value) { add_json(key, std::to_string(value)); }
  void add_text(std::string_view key, std::string_view value);
  void add_json(std::string_view key, std::string_view json);

  std::string_view members() const { return members_; }

 private:
  std::string members_;
};

struct EventHead {
  char phase = 'X';
  std::string_view category = {};
  std::string_view name = {};
  std::string_view process = {};
  std::string_view thread = {};
  int64_t time_ns = 0;
  int64_t dur_ns = -1;  // of complete events
};

// The whole object; `args` are its members.
void append_event(const EventHead& event, std::string_view args, std::string& out);

}  // namespace skyline::ingest::kineto_json
