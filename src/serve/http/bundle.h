// The built page (web/dist), inside the program. Made at build time by cmake/web_bundle.cmake; without a
// built page there is one that says how to get it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace skyline::serve {

struct BundleFile {
  std::string_view path;  // below dist: "index.html", "assets/index-4f1c.js"
  std::string content_type;
  std::string_view bytes;
  bool is_gzipped = false;
};

// Null: there is no such file.
const BundleFile* find_in_bundle(std::string_view path);

// For the file that cmake/web_bundle.cmake writes.
struct EmbeddedFile {
  std::string_view path;
  const char* begin;
  const char* end;
};
std::span<const EmbeddedFile> embedded_files();

}  // namespace skyline::serve
