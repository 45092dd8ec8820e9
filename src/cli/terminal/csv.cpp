#include "cli/terminal/csv.h"

#include "base/printable.h"
#include "base/utf8.h"

namespace skyline::cli {
namespace {

// Some spreadsheets take the wide forms of East Asia for the same. Tabs and line ends, which some skip, are
// no more there in a printable text.
constexpr std::u32string_view kBeginFormulas = U"=+-@\uff1d\uff0b\uff0d\uff20";

void append_field(std::string& record, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    record += field;
    return;
  }
  record += '"';
  for (char c : field) {
    if (c == '"') record += '"';
    record += c;
  }
  record += '"';
}

}  // namespace

std::string csv_text(std::string_view text) {
  std::string field = printable(text);
  const bool is_formula =
      !field.empty() && kBeginFormulas.find(decode_utf8(field, 0).value) != std::u32string_view::npos;
  return is_formula ? "'" + field : field;
}

std::string csv_record(const std::vector<std::string>& fields) {
  std::string record;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) record += ',';
    append_field(record, fields[i]);
  }
  return record + "\r\n";
}

}  // namespace skyline::cli
