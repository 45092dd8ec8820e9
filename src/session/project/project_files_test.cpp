#include "session/project/project_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/test_folder.h"

namespace skyline::session {
namespace {

namespace fs = std::filesystem;

class ProjectFilesTest : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text = "") const { root_.write(path, text); }

  std::vector<std::string> walked(const std::string& folder = "") const {
    std::vector<std::string> files;
    ProjectFiles(root_.path())
        .walk(
            folder, [](const std::string&) { return true; },
            [&](const std::string& file) { files.push_back(file); });
    return files;
  }

  const TestFolder root_;
};

using Paths = std::vector<std::string>;

TEST(GlobTest, StarsStopAtSlashes) {
  EXPECT_TRUE(matches_glob("*.py", "a.py"));
  EXPECT_TRUE(matches_glob("a*b?c", "axxbxbyc"));
  EXPECT_TRUE(matches_glob("runs/*/x", "runs/1/x"));
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_FALSE(matches_glob("*.py", "a/b.py"));
  EXPECT_FALSE(matches_glob("a?c", "a/c"));
  EXPECT_FALSE(matches_glob("a", "ab"));
  EXPECT_FALSE(matches_glob("ab", "a"));
}

TEST_F(ProjectFilesTest, SourceIsWhatPythonReadsAndTorchCompiles) {
  for (const char* name :
       {"a.py", "conf.yaml", "kernel.cu", "metrics.json", "log.txt", "a.py~", ".#a.py", "README"}) {
    write(name);
  }
  EXPECT_EQ(walked(), (Paths{"a.py", "conf.yaml", "kernel.cu"}));
}

TEST_F(ProjectFilesTest, FoldersOfOthersAreLeftOut) {
  for (const char* folder :
       {".venv/lib", "venv/lib", ".git", "__pycache__", "web/node_modules/x", "site-packages"}) {
    write(std::string(folder) + "/a.py");
  }
  write("py312/pyvenv.cfg");  // a virtual environment by any name
  write("py312/lib/a.py");
  write("models/blocks/a.py");
  EXPECT_EQ(walked(), Paths{"models/blocks/a.py"});
  EXPECT_EQ(walked("venv"), Paths{});
}

TEST_F(ProjectFilesTest, WhatGitIgnoresIsLeftOut) {
  write(".gitignore",
        "# outputs\nruns/\n/data\n*_pb2.py\r\n**/cache\ndocs/out\nold/**\n!keep.py\n[ab].py\n\n");
  for (const char* path : {"runs/a.py", "deep/runs/a.py", "data/a.py", "deep/data/a.py", "x_pb2.py",
                           "cache/a.py", "docs/out/a.py", "deep/docs/out/a.py", "old/a.py", "a.py"}) {
    write(path);
  }
  EXPECT_EQ(walked(), (Paths{"a.py", "deep/data/a.py", "deep/docs/out/a.py"}));
}

TEST_F(ProjectFilesTest, LinksToFoldersAreNotEntered) {
  write("models/a.py");
  fs::create_directory_symlink(root_.path(), root_ / "models/around");
  EXPECT_EQ(walked(), Paths{"models/a.py"});
}

TEST_F(ProjectFilesTest, AWalkCanBeEnded) {
  write("a/a.py");
  write("b/b.py");
  int folders = 0;
  EXPECT_FALSE(
      ProjectFiles(root_.path())
          .walk(
              "", [&](const std::string&) { return ++folders < 2; }, [](const std::string&) { FAIL(); }));
  EXPECT_EQ(folders, 2);
}

}  // namespace
}  // namespace skyline::session
