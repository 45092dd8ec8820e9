#include "serve/served/source_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/sha256.h"
#include "base/test_folder.h"
#include "serve/served/open_beneath.h"

namespace skyline::serve {
namespace {

namespace fs = std::filesystem;

class SourceFilesTest : public testing::Test {
 protected:
  std::string write(const std::string& relative, const std::string& text) const {
    return folder_.write(relative, text);
  }
  std::string root(const std::string& relative = "root") const { return folder_ / relative; }

  OpenedTrace opened(std::vector<SourceFile> sources) const {
    auto trace = std::make_shared<Trace>();
    trace->sources = std::move(sources);
    return {"0", "trace", std::make_shared<const analyze::AnalyzedTrace>(std::move(trace))};
  }

  const TestFolder folder_;
};

TEST_F(SourceFilesTest, TheRecordedTextIsShownEvenWhenTheFileHasAnother) {
  const std::string path = write("root/model.py", "changed");
  const OpenedTrace trace = opened({{path, "sha256:1", "recorded"}});
  const protocol::Source source = SourceFiles(root(), "").of_trace(trace, path).value();
  EXPECT_EQ(source.text, "recorded");
  EXPECT_EQ(source.origin, protocol::SourceOrigin::kRecording);
}

TEST_F(SourceFilesTest, APathInATraceIsNeverOpenedByItself) {
  const std::string path = write("root/model.py", "on disk");
  const OpenedTrace trace = opened({{path, "", ""}});
  const SourceFiles files("", "");
  EXPECT_FALSE(files.of_trace(trace).files.at(0).has_text);
  const Result<protocol::Source> source = files.of_trace(trace, path);
  ASSERT_FALSE(source.ok());
  EXPECT_NE(source.error().sentence.find("--source-root"), std::string::npos);
}

TEST_F(SourceFilesTest, BelowTheSourceRootTheLongestEndOfThePathCounts) {
  write("root/model.py", "wrong one");
  write("root/src/model.py", "right one");
  const OpenedTrace trace =
      opened({{"/home/me/run/src/model.py", "", ""}, {"/home/me/run/train.py", "", ""}});
  const SourceFiles files(root(), "");
  const protocol::Source source = files.of_trace(trace, "/home/me/run/src/model.py").value();
  EXPECT_EQ(source.text, "right one");
  EXPECT_EQ(source.origin, protocol::SourceOrigin::kSourceRoot);
  EXPECT_EQ(source.hash, "sha256:" + sha256("right one"));
  EXPECT_FALSE(source.note);
  const protocol::Sources all = files.of_trace(trace);
  ASSERT_EQ(all.files.size(), 2u);
  EXPECT_EQ(all.files[0].name, "src/model.py");
  EXPECT_TRUE(all.files[0].has_text);
  EXPECT_EQ(all.files[1].name, "train.py");
  EXPECT_FALSE(all.files[1].has_text);
}

TEST_F(SourceFilesTest, AFileThatHasChangedSinceIsShownWithANote) {
  write("root/model.py", "new");
  const OpenedTrace trace = opened({{"/x/model.py", "sha256:" + sha256("old"), ""}});
  EXPECT_TRUE(SourceFiles(root(), "").of_trace(trace, "/x/model.py").value().note);
  const OpenedTrace same = opened({{"/x/model.py", "sha256:" + sha256("new"), ""}});
  EXPECT_FALSE(SourceFiles(root(), "").of_trace(same, "/x/model.py").value().note);
}

TEST_F(SourceFilesTest, WhatATraceDoesNotNameIsNotFoundBelowTheSourceRoot) {
  write("root/secret.py", "secret");
  const OpenedTrace trace = opened({{"/x/model.py", "", ""}});
  EXPECT_FALSE(SourceFiles(root(), "").of_trace(trace, "/x/secret.py").ok());
}

TEST_F(SourceFilesTest, NothingLeadsOutOfTheSourceRoot) {
  const std::string secret = write("secret.py", "secret");
  write("root/a.py", "fine");
  fs::create_symlink(secret, folder_ / "root/absolute.py");
  fs::create_symlink("../secret.py", folder_ / "root/relative.py");
  fs::create_directory_symlink("..", folder_ / "root/up");
  fs::create_symlink("a.py", folder_ / "root/inside.py");
  EXPECT_EQ(read_beneath(root(), "a.py").value(), "fine");
  EXPECT_EQ(read_beneath(root(), "inside.py").value(), "fine");
  for (const std::string& path :
       {std::string("absolute.py"), std::string("relative.py"), std::string("up/secret.py"),
        std::string("../secret.py"), std::string("./../secret.py"), secret, std::string(""), std::string("."),
        std::string("a.py\0.txt", 9), std::string("nothing.py"), std::string("a.py/")}) {
    EXPECT_FALSE(read_beneath(root(), path).ok()) << path;
    const OpenedTrace trace = opened({{path, "", ""}});
    EXPECT_FALSE(SourceFiles(root(), "").of_trace(trace, path).ok()) << path;
    EXPECT_FALSE(SourceFiles("", root()).of_project(path).ok()) << path;
  }
}

TEST_F(SourceFilesTest, PipesFoldersAndHugeFilesAreNotRead) {
  write("root/a.py", "fine");
  ASSERT_EQ(::mkfifo((folder_ / "root/pipe.py").c_str(), 0600), 0);
  fs::create_directory(folder_ / "root/folder.py");
  write("root/huge.py", "");
  fs::resize_file(folder_ / "root/huge.py", kMostSourceBytes + 1);
  write("root/large.py", "");
  fs::resize_file(folder_ / "root/large.py", kMostSourceBytes);
  for (const char* path : {"pipe.py", "folder.py", "huge.py"})
    EXPECT_FALSE(read_beneath(root(), path).ok()) << path;
  EXPECT_EQ(read_beneath(root(), "large.py").value().size(), kMostSourceBytes);
}

TEST_F(SourceFilesTest, AProjectShowsItsSourceFilesAndNothingElse) {
  const std::string entry = write("root/entry_point.py", "entry");
  write("root/package/model.py", "model");
  write("root/.env.py", "hidden");
  write("root/.git/config.py", "hidden");
  write("root/key.pem", "secret");
  write("root/venv/x.py", "installed");
  const SourceFiles files("", root());
  const protocol::Sources all = files.of_project().value();
  ASSERT_EQ(all.files.size(), 2u);
  EXPECT_EQ(all.files[0].path, entry);
  EXPECT_EQ(all.files[0].name, "entry_point.py");
  EXPECT_EQ(all.files[1].name, "package/model.py");
  EXPECT_EQ(files.of_project(entry).value().text, "entry");
  EXPECT_EQ(files.of_project("package/model.py").value().text, "model");
  for (const char* path :
       {".env.py", ".git/config.py", "key.pem", "venv/x.py", "package/../key.pem", "package"}) {
    EXPECT_FALSE(files.of_project(path).ok()) << path;
  }
}

TEST_F(SourceFilesTest, WithoutASessionThereIsNoProject) {
  EXPECT_FALSE(SourceFiles(root(), "").of_project().ok());
  EXPECT_FALSE(SourceFiles(root(), "").of_project("model.py").ok());
}

}  // namespace
}  // namespace skyline::serve
