#include "session/saves.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/test_folder.h"

namespace skyline::session {
namespace {

using Paths = std::vector<std::string>;

class SavesTest : public testing::Test {
 protected:
  // A file holds something new, and the watcher says so.
  void change(const std::string& name, size_t times = 1) {
    folder_.write(name, std::to_string(++version_));
    tell(name, times);
  }
  void tell(const std::string& name, size_t times = 1) { saves_.take({{folder_ / name, times}}, phase_); }
  void announce(const std::string& name) { saves_.receive(WritesFile{folder_ / name}); }

  // A run in which one file changes, and then whether it would have been cut short.
  bool is_run_cut_by(const std::string& name, bool has_programs = false) {
    saves_.begin_run();
    if (has_programs) saves_.receive(StartsPrograms{});
    change(name);
    const bool is_cut = saves_.has_any();
    saves_.take_all();
    return is_cut;
  }

  const TestFolder folder_;
  Saves saves_{folder_.path()};
  std::string_view phase_ = "loading";
  int version_ = 0;
};

TEST_F(SavesTest, WhileNothingRunsEveryChangeIsASave) {
  change("model.py");
  EXPECT_EQ(saves_.take_all(), Paths{folder_ / "model.py"});
  tell("model.py");  // the same text again
  EXPECT_TRUE(saves_.has_any());
}

TEST_F(SavesTest, ARunIsCutShortByASaveThatChangesSomething) {
  saves_.begin_run();
  change("model.py");
  EXPECT_EQ(saves_.take_all(), Paths{folder_ / "model.py"});
  tell("model.py");
  EXPECT_FALSE(saves_.has_any());
}

TEST_F(SavesTest, WhatTheRunWritesIsNoSave) {
  for (int run = 0; run < 5; ++run) {
    saves_.begin_run();
    announce("hparams.yaml");
    change("hparams.yaml");
    EXPECT_FALSE(saves_.has_any());
    EXPECT_EQ(saves_.note(), run == 0 ? "" : "your code changes hparams.yaml each time");
    saves_.end_run();
    EXPECT_FALSE(saves_.has_any());
  }
}

TEST_F(SavesTest, AFileThatIsAlwaysWrittenTheSameIsNotSpokenOf) {
  for (int run = 0; run < 3; ++run) {
    saves_.begin_run();
    announce("version.py");
    folder_.write("version.py", "1");
    tell("version.py");
    saves_.end_run();
    EXPECT_FALSE(saves_.has_any());
    EXPECT_EQ(saves_.note(), "");
  }
}

TEST_F(SavesTest, AnEditorsSaveOfTheFileThatTheRunWritesIsNotLost) {
  saves_.begin_run();
  announce("hparams.yaml");
  change("hparams.yaml");
  EXPECT_FALSE(saves_.has_any());
  change("hparams.yaml");
  EXPECT_TRUE(saves_.has_any());
}

TEST_F(SavesTest, NorIfBothAreToldAtOnce) {
  saves_.begin_run();
  announce("hparams.yaml");
  change("hparams.yaml", 2);
  EXPECT_TRUE(saves_.has_any());
}

TEST_F(SavesTest, NorWhenTheRunIsOver) {
  saves_.begin_run();
  announce("hparams.yaml");
  announce("hparams.yaml");  // and could not be opened
  change("hparams.yaml");
  saves_.end_run();
  EXPECT_FALSE(saves_.has_any());
  change("hparams.yaml");
  EXPECT_TRUE(saves_.has_any());
}

// A new folder is listed and then watched: a file in it may be told once, or twice.
TEST_F(SavesTest, AFileInANewFolderIsTheRunsHoweverOftenItIsTold) {
  saves_.begin_run();
  announce("runs/version_0/hparams.yaml");
  change("runs/version_0/hparams.yaml", 0);
  change("runs/version_0/hparams.yaml", 1);
  EXPECT_FALSE(saves_.has_any());
}

TEST_F(SavesTest, WhatIsInAFolderThatTheRunHasMovedIsTheRuns) {
  saves_.begin_run();
  announce("configs");
  change("configs/a.yaml", 0);
  EXPECT_FALSE(saves_.has_any());
  change("configs2/a.yaml", 0);
  EXPECT_TRUE(saves_.has_any());
}

TEST_F(SavesTest, PollingSeesManyWritesAsOneChange) {
  saves_.begin_run();
  for (int i = 0; i < 3; ++i) announce("hparams.yaml");
  change("hparams.yaml", kAnyTimes);
  EXPECT_FALSE(saves_.has_any());
  change("hparams.yaml", kAnyTimes);
  EXPECT_TRUE(saves_.has_any());
}

TEST_F(SavesTest, AProgramThatWritesInEveryRunCutsTwoOfThem) {
  for (int run = 0; run < 6; ++run) {
    EXPECT_EQ(is_run_cut_by("version.py", true), run < 2);
    EXPECT_EQ(saves_.note(), run < 2 ? "" : "your code changes version.py each time");
    saves_.end_run();
    EXPECT_EQ(saves_.has_any(), run == 2);  // to see whether it comes again
    saves_.take_all();
  }
}

TEST_F(SavesTest, AFileUnderAnotherNumberEachTimeIsTheSame) {
  EXPECT_TRUE(is_run_cut_by("runs/version_8/hparams.yaml"));
  EXPECT_TRUE(is_run_cut_by("runs/version_9/hparams.yaml"));
  EXPECT_FALSE(is_run_cut_by("runs/version_10/hparams.yaml"));
}

TEST_F(SavesTest, WhoSavesInEveryRunLosesNoSave) {
  for (int run = 0; run < 6; ++run) {
    const bool is_cut = is_run_cut_by("model.py");
    EXPECT_EQ(is_cut, run < 2);
    saves_.end_run();
    EXPECT_EQ(saves_.has_any(), !is_cut) << run;  // at the latest when the run is over
    saves_.take_all();
  }
}

TEST_F(SavesTest, SavesInOtherPhasesCutEveryRun) {
  for (const char* phase : {"loading", "timing", "loading", "recording", "timing"}) {
    phase_ = phase;
    EXPECT_TRUE(is_run_cut_by("model.py"));
    saves_.end_run();
  }
}

TEST_F(SavesTest, WhatCanNotBeReadIsLeftOutWithALine) {
  const TestFolder project;
  std::filesystem::create_symlink("/dev/zero", project / "data.py");
  Saves saves(project.path());
  EXPECT_EQ(saves.note(), "data.py is left out: it is a device");
  saves.take({{project / "data.py", 1}}, "");
  EXPECT_FALSE(saves.has_any());
  std::filesystem::remove(project / "data.py");
  saves.take({{project / "data.py", 1}}, "");
  EXPECT_TRUE(saves.has_any());
  EXPECT_EQ(saves.note(), "");
}

TEST_F(SavesTest, FilesAndFoldersThatAreGoneAreNews) {
  saves_.begin_run();
  change("model.py");
  saves_.take_all();
  std::filesystem::remove(folder_ / "model.py");
  tell("model.py");
  EXPECT_TRUE(saves_.has_any());
  saves_.take_all();
  saves_.take({{folder_.path(), kAnyTimes}}, phase_);
  EXPECT_EQ(saves_.take_all(), Paths{folder_.path()});
}

}  // namespace
}  // namespace skyline::session
