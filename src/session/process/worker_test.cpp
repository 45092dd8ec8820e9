#include "session/process/worker.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

namespace skyline::session {
namespace {

TEST(PlaceInStackTest, TheInnermostLineOfTheProject) {
  const char* dump =
      "Fatal Python error: Segmentation fault\n\n"
      "Current thread 0x00007f (most recent call first):\n"
      "  File \"/usr/lib/python3.11/ctypes/__init__.py\", line 519 in string_at\n"
      "  File \"/home/me/project/.venv/lib/python3.11/site-packages/torch/nn.py\", line 3 in f\n"
      "  File \"/home/me/project2/model.py\", line 5 in forward\n"
      "  File \"/home/me/project/model.py\", line 12 in forward\n"
      "  File \"/home/me/project/entry_point.py\", line 30 in iteration\n";
  const StackPlace place = place_in_stack(dump, "/home/me/project");
  EXPECT_EQ(place.path, "/home/me/project/model.py");
  EXPECT_EQ(place.line, 12);
  EXPECT_EQ(place_in_stack(dump, "/home/you").path, "");
  EXPECT_EQ(place_in_stack("File \"", "/home/me").path, "");
}

// A task that is a shell script: how its end is told.
TEST(TaskTest, EveryEndIsTold) {
  const auto end_of = [](const char* script) {
    Result<std::unique_ptr<Task>> task = launch({.words = {"sh", "-c", script}});
    EXPECT_TRUE(task.ok());
    while (!task.value()->ended()) {
    }
    return *task.value()->ended();
  };
  EXPECT_EQ(end_of("exit 3").code, 3);
  EXPECT_EQ(end_of("kill -SEGV $$").signal, "SIGSEGV");
}

TEST(TaskTest, AllOfItGoesWithTheObject) {
  Result<Pipe> pipe = make_pipe();
  ASSERT_TRUE(pipe.ok());
  {
    const Result<std::unique_ptr<Task>> task = launch(
        {.words = {"sh", "-c", "sleep 1000 & echo started; wait"}, .output = pipe.value().write.get()});
    ASSERT_TRUE(task.ok());
    EXPECT_TRUE(processor_time_ns(task.value()->pid()));
    OutputTail output(std::move(pipe.value().read));
    pipe.value().write.close();
    while (output.last_line() != "started") output.read();
    pipe.value().read = Descriptor();
    const pid_t gone = task.value()->pid();
    task.value()->kill();
    while (!task.value()->ended()) {
    }
    EXPECT_FALSE(std::filesystem::exists("/proc/" + std::to_string(gone)));
    while (output.descriptor() >= 0) output.read();  // ends only when the sleeper is gone as well
  }
}

TEST(TaskTest, OnlyNamedDescriptorsAreOpenInIt) {
  const auto code_of = [](std::vector<int> descriptors) {
    const int ours = ::dup(STDOUT_FILENO);  // as a library opens them: for children, too
    if (!descriptors.empty()) descriptors = {ours};
    const std::string script = "test -e /proc/self/fd/" + std::to_string(ours);
    Result<std::unique_ptr<Task>> task = launch({.words = {"sh", "-c", script}, .descriptors = descriptors});
    while (!task.value()->ended()) {
    }
    ::close(ours);
    return task.value()->ended()->code;
  };
  EXPECT_EQ(code_of({}), 1);
  EXPECT_EQ(code_of({1}), 0);
}

TEST(TaskTest, WhatHasGoneIntoASessionOfItsOwnGoesAsWell) {
  Result<Pipe> pipe = make_pipe();
  ASSERT_TRUE(pipe.ok());
  const Result<std::unique_ptr<Task>> task =
      launch({.words = {"sh", "-c", "(setsid sleep 1000 &); echo started; sleep 1000"},
              .output = pipe.value().write.get()});
  ASSERT_TRUE(task.ok());
  OutputTail output(std::move(pipe.value().read));
  pipe.value().write.close();
  while (output.last_line() != "started") output.read();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // the subshell has gone, setsid has come
  task.value()->kill();
  while (output.descriptor() >= 0) output.read();  // ends only when all are gone
}

TEST(TaskTest, WhatACrashedProcessHasLeftBehindIsEnded) {
  Result<Pipe> pipe = make_pipe();
  ASSERT_TRUE(pipe.ok());
  const Result<std::unique_ptr<Task>> task =
      launch({.words = {"sh", "-c", "sleep 1000 & kill -SEGV $$"}, .output = pipe.value().write.get()});
  ASSERT_TRUE(task.ok());
  OutputTail output(std::move(pipe.value().read));
  pipe.value().write.close();
  while (!task.value()->ended()) {
  }
  while (output.descriptor() >= 0) output.read();
}

TEST(ReadFileTest, WhatCanNotBeReadIsEmpty) {
  EXPECT_EQ(read_file("/proc/self/comm").back(), '\n');
  EXPECT_EQ(read_file("/no/such/file"), "");
  EXPECT_EQ(read_file("/tmp"), "");  // a watcher that has lost track names the project's folder
}

TEST(OutputTailTest, OnlyTheEndIsKept) {
  Result<Pipe> pipe = make_pipe();
  ASSERT_TRUE(pipe.ok());
  const Result<std::unique_ptr<Task>> task =
      launch({.words = {"sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' x; echo; echo last words; echo"},
              .output = pipe.value().write.get()});
  ASSERT_TRUE(task.ok());
  OutputTail output(std::move(pipe.value().read));
  pipe.value().write.close();
  while (output.descriptor() >= 0) output.read();
  EXPECT_LE(output.text().size(), 16u << 10);
  EXPECT_EQ(output.last_line(), "last words");
}

}  // namespace
}  // namespace skyline::session
