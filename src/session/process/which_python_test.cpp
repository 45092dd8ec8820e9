#include "session/process/which_python.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "base/test_folder.h"
#include "session/process/brief_process.h"

namespace skyline::session {
namespace {

using std::chrono::milliseconds;

constexpr const char* kWithTorch = "echo hello from a site; echo skyline-python 3.12.1 yes 2.13.0+cpu";
constexpr const char* kWithoutTorch = "echo 'skyline-python 3.11.2 no '";

class WhichPythonTest : public testing::Test {
 protected:
  // A program of this name that does what the shell commands say.
  std::string program(const std::string& name, const std::string& commands) const {
    const std::string path = folder_.write(name, "#!/bin/sh\n" + commands + "\n");
    EXPECT_EQ(::chmod(path.c_str(), 0755), 0);
    return path;
  }

  static std::string sentence(const PythonRequest& request) {
    const Result<Python> python = find_python(request);
    return python.ok() ? "found " + python.value().path : python.error().sentence;
  }

  const TestFolder folder_;
};

TEST_F(WhichPythonTest, NamedOneIsTaken) {
  const std::string named = program("named/bin/python", kWithTorch);
  program("bin/python3", kWithTorch);
  const Result<Python> python = find_python({.named = named, .search_path = folder_ / "bin"});
  ASSERT_TRUE(python.ok());
  EXPECT_EQ(python.value().path, named);
  EXPECT_EQ(python.value().version, "3.12.1");
  EXPECT_EQ(python.value().torch_version, "2.13.0+cpu");
  // By its environment's folder, and by a name in PATH.
  EXPECT_EQ(sentence({.named = folder_ / "named"}), "found " + named);
  EXPECT_EQ(sentence({.named = "python", .search_path = "/nowhere:" + folder_ / "named/bin"}),
            "found " + named);
}

TEST_F(WhichPythonTest, NamedOneThatLacksTorchIsAnErrorEvenIfOthersHaveIt) {
  const std::string named = program("named", kWithoutTorch);
  program("bin/python3", kWithTorch);
  const std::string error = sentence({.named = named, .search_path = folder_ / "bin"});
  EXPECT_EQ(error, "the Python given with --python, " + named + ", has no torch; install it there (" + named +
                       " -m pip install torch) or name another one");
  EXPECT_NE(sentence({.named = folder_ / "nothing/python"}).find("No such file"), std::string::npos);
  EXPECT_NE(sentence({.named = "python9", .search_path = folder_.path()}).find("no program python9 in PATH"),
            std::string::npos);
}

TEST_F(WhichPythonTest, ActiveEnvironmentComesBeforePath) {
  program("venv/bin/python", kWithTorch);
  program("bin/python3", kWithTorch);
  const PythonRequest request{.virtual_env = folder_ / "venv", .search_path = folder_ / "bin"};
  EXPECT_EQ(sentence(request), "found " + folder_ / "venv/bin/python");
}

TEST_F(WhichPythonTest, FirstWithTorchWins) {
  program("venv/bin/python", kWithoutTorch);
  program("bin/python3", kWithTorch);
  const PythonRequest request{.virtual_env = folder_ / "venv", .search_path = folder_ / "bin"};
  EXPECT_EQ(sentence(request), "found " + folder_ / "bin/python3");
}

TEST_F(WhichPythonTest, ErrorListsWhatWasTried) {
  program("venv/bin/python", "exit 3");
  program("bin/python3", kWithoutTorch);
  const PythonRequest request{.virtual_env = folder_ / "venv", .search_path = folder_ / "bin"};
  EXPECT_EQ(sentence(request), "found no Python with torch (" + folder_ / "venv/bin/python" +
                                   " ended with exit code 3, " + folder_ / "bin/python3" +
                                   " has no torch); install torch in one, or name one that has it with "
                                   "--python");
  EXPECT_NE(sentence({.search_path = "/nowhere"}).find("there is no python3 in PATH"), std::string::npos);
}

TEST_F(WhichPythonTest, StrangeAnswersAreNoPython) {
  EXPECT_NE(sentence({.named = program("old", "echo skyline-python 3.8.1 yes 2.0")}).find("3.11 or later"),
            std::string::npos);
  EXPECT_NE(sentence({.named = program("other", "echo 42")}).find("does not answer like Python"),
            std::string::npos);
  EXPECT_NE(sentence({.named = program("killed", "kill -9 $$")}).find("signal: Killed"), std::string::npos);
}

TEST_F(WhichPythonTest, PatienceEnds) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string hangs = program("hangs", "sleep 100");
  EXPECT_NE(sentence({.named = hangs, .patience = milliseconds(100)}).find("did not answer in time"),
            std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(10'000));
}

TEST_F(WhichPythonTest, RealPythonAnswers) {
  if (::access("/usr/bin/python3", X_OK) != 0) GTEST_SKIP();
  const std::string answer = sentence({.named = "/usr/bin/python3"});
  // With torch or without; but it is Python.
  EXPECT_TRUE(answer.starts_with("found") || answer.find("has no torch") != std::string::npos ||
              answer.find("or later is needed") != std::string::npos)
      << answer;
}

TEST_F(WhichPythonTest, OutputIsBoundedAndChildrenThatStayDoNotHoldUp) {
  const BriefProcess flood =
      run_briefly({program("flood", "head -c 1000000 /dev/zero")}, milliseconds(10'000));
  EXPECT_EQ(flood.end, BriefProcess::End::kExited);
  EXPECT_EQ(flood.output.size(), 64u * 1024);
  const auto begin = std::chrono::steady_clock::now();
  const BriefProcess parent = run_briefly({program("parent", "sleep 3 & echo done")}, milliseconds(10'000));
  EXPECT_EQ(parent.output, "done\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(2500));
}

TEST_F(WhichPythonTest, AtTheEndOfPatienceChildrenEndToo) {
  const std::string pid_file = folder_ / "pid";
  run_briefly({program("parent", "sleep 100 & echo $! > " + pid_file + "; wait")}, milliseconds(300));
  pid_t child = 0;
  ASSERT_TRUE(std::ifstream(pid_file) >> child);
  // Dead, or a zombie that nobody has waited for.
  std::string state;
  for (int i = 0; i < 100; ++i) {
    std::ifstream status("/proc/" + std::to_string(child) + "/stat");
    std::string word;
    state = status >> word >> word >> state ? state : "gone";
    if (state == "gone" || state == "Z") break;
    std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_TRUE(state == "gone" || state == "Z") << state;
}

}  // namespace
}  // namespace skyline::session
