#include "serve/http/bundle.h"

#include <algorithm>
#include <vector>

namespace skyline::serve {
namespace {

struct ContentType {
  std::string_view ending;
  std::string_view type;
};
constexpr ContentType kContentTypes[] = {
    {".css", "text/css; charset=utf-8"},
    {".html", "text/html; charset=utf-8"},
    {".ico", "image/x-icon"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".png", "image/png"},
    {".svg", "image/svg+xml"},
    {".txt", "text/plain; charset=utf-8"},
    {".woff2", "font/woff2"},
};

constexpr std::string_view kNoPage =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Skyline</title>\n"
    "<p>This skyline was built without its page: run <code>tools/build_web.sh</code> in its source folder "
    "(it needs "
    "Node 20 or PyPI), build again and start again.</p>\n</html>\n";

std::string content_type(std::string_view path) {
  for (const ContentType& known : kContentTypes) {
    if (path.ends_with(known.ending)) return std::string(known.type);
  }
  return "application/octet-stream";
}

std::vector<BundleFile> make_bundle() {
  std::vector<BundleFile> files;
  for (const EmbeddedFile& file : embedded_files()) {
    const std::string_view bytes(file.begin, static_cast<size_t>(file.end - file.begin));
    files.push_back({file.path, content_type(file.path), bytes, true});
  }
  if (files.empty()) files.push_back({"index.html", content_type("index.html"), kNoPage, false});
  return files;
}

}  // namespace

const BundleFile* find_in_bundle(std::string_view path) {
  static const std::vector<BundleFile> files = make_bundle();
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const BundleFile& file) { return file.path == path; });
  return found == files.end() ? nullptr : &*found;
}

}  // namespace skyline::serve
