// Stands in for libFuzzer's main() where the compiler has none: feeds every file of the given files and
// folders to the target once. A crash or a sanitizer report is the failure; the count printed at the end
// shows that something was replayed at all.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

// Sorted, so that a crash is always met at the same file.
std::vector<fs::path> files_below(const fs::path& root) {
  std::vector<fs::path> files;
  if (fs::is_regular_file(root)) files.push_back(root);
  if (fs::is_directory(root)) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

void replay(const fs::path& path) {
  // Named before the run: after a crash the last line tells which file did it.
  std::fprintf(stderr, "replay %s\n", path.c_str());
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const fs::path& path : files_below(argv[i])) {
      replay(path);
      ++count;
    }
  }
  std::printf("%zu inputs replayed\n", count);
  return count == 0 ? 1 : 0;  // an empty corpus is a mistake, not a success
}
