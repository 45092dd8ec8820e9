#include "base/folder_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/test_folder.h"

namespace skyline {
namespace {

TEST(FolderNames, AreThoseOfFilesFoldersAndLinks) {
  const TestFolder folder;
  folder.write("b.json", "");
  folder.write(".hidden", "");
  std::filesystem::create_directory(folder / "a");
  std::filesystem::create_symlink("nowhere", folder / "link");
  std::vector<std::string> names = names_in(folder.path()).value();
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{".hidden", "a", "b.json", "link"}));
}

TEST(FolderNames, AFolderThatIsNotThereIsASentence) {
  const TestFolder folder;
  const std::string missing = folder / "missing";
  EXPECT_EQ(names_in(missing).error().sentence,
            "cannot list the folder " + missing + ": No such file or directory");
  EXPECT_TRUE(names_if_any(missing).empty());
}

}  // namespace
}  // namespace skyline
