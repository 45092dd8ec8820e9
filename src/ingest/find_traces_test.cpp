#include <gtest/gtest.h>

#include <filesystem>

#include "base/test_folder.h"
#include "ingest/ingest.h"

namespace skyline::ingest {
namespace {

namespace fs = std::filesystem;

// A folder of empty files, gone with the test.
class Folder {
 public:
  void add(const std::string& name) const { folder_.write(name, "{}"); }
  // The traces below it, as paths relative to it.
  std::vector<std::string> found() const {
    const Result<std::vector<std::string>> paths = find_traces({folder_.path()});
    EXPECT_TRUE(paths.ok()) << paths.error().sentence;
    std::vector<std::string> names;
    for (const std::string& path : paths.value())
      names.push_back(fs::path(path).lexically_relative(root()).string());
    return names;
  }

  fs::path root() const { return folder_.path(); }

 private:
  const TestFolder folder_;
};

using Names = std::vector<std::string>;

TEST(FindTraces, ComparesNumbersInNamesAsNumbers) {
  const Folder folder;
  for (const char* name : {"rank10.json", "rank2.json.gz", "rank1.json", "rank0100.json.zst", "rank100.json"})
    folder.add(name);
  EXPECT_EQ(folder.found(),
            (Names{"rank1.json", "rank2.json.gz", "rank10.json", "rank100.json", "rank0100.json.zst"}));
}

TEST(FindTraces, NumbersMayBeLongerThanAnyInteger) {
  const Folder folder;
  for (const char* name :
       {"host_1727367894000000000000001.json", "host_1727367894000000000000000.json", "host_9.json"})
    folder.add(name);
  EXPECT_EQ(folder.found(), (Names{"host_9.json", "host_1727367894000000000000000.json",
                                   "host_1727367894000000000000001.json"}));
}

TEST(FindTraces, LooksIntoFoldersAndLeavesOtherFilesAlone) {
  const Folder folder;
  for (const char* name :
       {"b/rank1.json", "b/rank0.json", "a.json", "notes.txt", "x.json.bak", "json", "b/c/d.json.gz"})
    folder.add(name);
  EXPECT_EQ(folder.found(), (Names{"a.json", "b/c/d.json.gz", "b/rank0.json", "b/rank1.json"}));
}

TEST(FindTraces, AFolderWithoutTracesIsAnError) {
  const Folder folder;
  folder.add("notes.txt");
  const Result<Names> paths = find_traces({folder.root().string()});
  ASSERT_FALSE(paths.ok());
  EXPECT_NE(paths.error().sentence.find("holds no traces"), std::string::npos);
  EXPECT_NE(paths.error().sentence.find(folder.root().string()), std::string::npos);
}

TEST(FindTraces, LinksThatGoRoundInCirclesEnd) {
  const Folder folder;
  folder.add("a.json");
  fs::create_directory_symlink(folder.root(), folder.root() / "self");
  fs::create_symlink("nowhere.json", folder.root() / "broken.json");
  fs::create_symlink("loop.json", folder.root() / "loop.json");
  fs::create_symlink(folder.root() / "a.json", folder.root() / "b.json");
  EXPECT_EQ(folder.found(), (Names{"a.json", "b.json"}));
}

TEST(FindTraces, FilesAndStandardInputStayAsGiven) {
  const Result<Names> paths = find_traces({"z.json", "-", "/no/such/file", "a.weird"});
  ASSERT_TRUE(paths.ok());
  EXPECT_EQ(paths.value(), (Names{"z.json", "-", "/no/such/file", "a.weird"}));
}

TEST(FindTraces, TheOrderOfFoldersIsTheOneGiven) {
  const Folder first, second;
  first.add("b.json");
  second.add("a.json");
  const Result<Names> paths = find_traces({first.root().string(), second.root().string()});
  ASSERT_TRUE(paths.ok());
  EXPECT_EQ(paths.value(), (Names{(first.root() / "b.json").string(), (second.root() / "a.json").string()}));
}

}  // namespace
}  // namespace skyline::ingest
