// A session whose Python has no torch: a package that only speaks the protocol stands in for ours.
#include "session/session.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "base/sha256.h"
#include "base/test_folder.h"

namespace skyline::session {
namespace {

namespace fs = std::filesystem;

constexpr const char* kZygote = R"(
import json, os, socket, sys, time
control = socket.socket(fileno=int(sys.argv[3]))
with open(__file__ + ".new", "w") as file:
    file.write(str(os.getpid()))
os.replace(__file__ + ".new", __file__ + ".pid")
control.send(json.dumps({"ready": {"python": "3", "torch": "0"}}).encode())
tasks = {}
while True:
    data, descriptors, _, _ = socket.recv_fds(control, 65536, 8)
    if not data:
        break
    message = json.loads(data)
    number = message["number"]
    if message["do"] == "stop_task" and number in tasks:
        pid = tasks.pop(number)
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        control.send(json.dumps({"ended": {"number": number, "signal": "SIGKILL"}}).encode())
    if message["do"] != "start_task":
        continue
    pid = os.fork()
    if pid == 0:
        worker = socket.socket(fileno=descriptors[2])
        file = worker.makefile("r")
        for line in file:
            path = json.loads(line)["entry_point"]
            sentence = open(path).read().strip()
            if sentence == "sleep":
                time.sleep(1000)
            if sentence.startswith("write"):
                written = os.path.join(os.path.dirname(path), "hparams.yaml")
                socket.socket(fileno=descriptors[4]).send(json.dumps({"writes": {"path": written}}).encode())
                with open(written, "w") as out:
                    out.write(str(time.time()))
                time.sleep(1000 if "wait" in sentence else 0.5)  # it takes a moment until that is noticed
                sentence = "has written"
            if sentence == "kill":
                os.kill(os.getppid(), 9)
                os.kill(os.getpid(), 19)
            answer = {"error": {"path": path, "line": 1, "sentence": sentence}}
            worker.sendall(json.dumps(answer).encode() + b"\n")
        os._exit(0)
    tasks[number] = pid
    control.send(json.dumps({"started": {"number": number, "pid": pid}}).encode())
    for descriptor in descriptors:
        os.close(descriptor)
)";

class SessionTest : public testing::Test {
 protected:
  void SetUp() override {
    write("package/skyline/__init__.py", "");
    write("package/skyline/_start.py", kZygote);
    write("project/entry_point.py", "first trouble");
  }

  void TearDown() override {
    if (session_) session_->stop();
    if (thread_.joinable()) thread_.join();
  }

  void write(const std::string& path, const std::string& text) const { folder_.write(path, text); }

  void start() {
    SessionOptions options;
    options.profile.entry_point = folder_ / "project/entry_point.py";
    options.profile.project_root = folder_ / "project";
    options.python = {"python3", folder_ / "package", "skyline", ""};
    options.scratch_folder = folder_.path();
    options.cache_folder = folder_ / "cache";
    session_ = std::make_unique<Session>(options, [this](const SessionView& view) {
      const std::lock_guard lock(mutex_);
      view_ = view;
      changed_.notify_all();
    });
    thread_ = std::thread([this] { status_ok_ = session_->run().ok(); });
  }

  // The first view for which it holds.
  template <typename Wanted>
  SessionView await(Wanted wanted) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(30), [&] { return wanted(view_); }));
    return view_;
  }

  static bool is_told(const SessionView& view, const std::string& sentence) {
    return view.state == SessionState::kIdle && view.trouble && view.trouble->sentence == sentence;
  }

  pid_t zygote() const {
    return static_cast<pid_t>(std::stol(read_file(folder_ / "package/skyline/_start.py.pid")));
  }

  const TestFolder folder_;
  std::unique_ptr<Session> session_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  SessionView view_;
  bool status_ok_ = false;
};

TEST_F(SessionTest, TroubleIsToldAndASaveTriesAgain) {
  start();
  const SessionView first = await([](const SessionView& view) { return is_told(view, "first trouble"); });
  EXPECT_EQ(first.save, 1u);
  EXPECT_EQ(first.trouble->path, folder_ / "project/entry_point.py");
  write("project/entry_point.py", "second trouble");
  const SessionView second = await([](const SessionView& view) { return is_told(view, "second trouble"); });
  EXPECT_EQ(second.save, 2u);
  EXPECT_EQ(second.changed, std::vector<std::string>{folder_ / "project/entry_point.py"});
}

TEST_F(SessionTest, EditorsTellOfUnsavedChangesAndAskForProfiles) {
  start();
  await([](const SessionView& view) { return is_told(view, "first trouble"); });
  session_->set_unsaved(true);
  await([](const SessionView& view) { return view.is_unsaved; });
  session_->set_unsaved(false);
  await([](const SessionView& view) { return !view.is_unsaved; });
  session_->profile_again();
  await([](const SessionView& view) { return view.save == 2 && view.state == SessionState::kIdle; });
}

TEST_F(SessionTest, CancelEndsTheProfileThatRunsAndBeginsNoOther) {
  write("project/entry_point.py", "sleep");
  start();
  await([](const SessionView& view) { return view.state == SessionState::kProfiling; });
  session_->cancel();
  const SessionView after =
      await([](const SessionView& view) { return view.save == 1 && view.state == SessionState::kIdle; });
  EXPECT_EQ(after.note, "cancelled");
  EXPECT_FALSE(after.trouble);
  // Now there is nothing to cancel, and the next save is not either.
  session_->cancel();
  write("project/entry_point.py", "third trouble");
  const SessionView next = await([](const SessionView& view) { return is_told(view, "third trouble"); });
  EXPECT_EQ(next.save, 2u);
  EXPECT_EQ(next.note, "");
}

TEST_F(SessionTest, ALongPhaseTellsThatItLasts) {
  write("project/entry_point.py", "sleep");
  start();
  await([](const SessionView& view) {
    return view.state == SessionState::kProfiling && view.in_phase_ns > 500'000'000;
  });
}

TEST_F(SessionTest, APythonThatTheCodeKillsIsReplaced) {
  write("project/entry_point.py", "kill");
  start();
  const SessionView killed = await([](const SessionView& view) { return view.trouble.has_value(); });
  EXPECT_NE(killed.trouble->sentence.find("was killed (SIGKILL); it was started again"), std::string::npos)
      << killed.trouble->sentence;
  write("project/entry_point.py", "second trouble");
  const SessionView next = await([](const SessionView& view) { return is_told(view, "second trouble"); });
  EXPECT_EQ(next.note, "");
}

TEST_F(SessionTest, APythonThatIsKilledBetweenSavesIsReplacedAtOnce) {
  start();
  await([](const SessionView& view) { return is_told(view, "first trouble"); });
  const pid_t before = zygote();
  ASSERT_EQ(::kill(before, SIGKILL), 0);
  while (zygote() == before) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  write("project/entry_point.py", "second trouble");
  await([](const SessionView& view) { return is_told(view, "second trouble"); });
}

TEST_F(SessionTest, APythonThatIsStoppedIsReplaced) {
  start();
  await([](const SessionView& view) { return is_told(view, "first trouble"); });
  const pid_t before = zygote();
  ASSERT_EQ(::kill(before, SIGSTOP), 0);
  write("project/entry_point.py", "second trouble");
  const SessionView next = await([](const SessionView& view) { return is_told(view, "second trouble"); });
  EXPECT_EQ(next.note, "the prepared Python was stopped (SIGSTOP); it was started again");
  EXPECT_NE(zygote(), before);
  EXPECT_NE(::kill(before, 0), 0);
}

TEST_F(SessionTest, AnImportThatEndsPythonIsLeftOutTheNextTime) {
  const std::string offending = R"(
import json, os, socket, sys
if "offender" in sys.argv:
    socket.socket(fileno=int(sys.argv[3])).send(json.dumps({"importing": {"module": "offender"}}).encode())
    os._exit(0)
)";
  write("package/skyline/_start.py", offending + kZygote);
  write("cache/preload-" + sha256(folder_ / "project").substr(0, 16), "+ offender\n");
  start();
  await([](const SessionView& view) { return is_told(view, "first trouble"); });
}

TEST_F(SessionTest, WhatTheCodeSaysItWritesBeginsNoProfile) {
  write("project/entry_point.py", "write");
  start();
  await([](const SessionView& view) { return is_told(view, "has written"); });
  write("project/entry_point.py", "second trouble");
  const SessionView next = await([](const SessionView& view) { return is_told(view, "second trouble"); });
  EXPECT_EQ(next.save, 2u);
  EXPECT_EQ(next.changed, std::vector<std::string>{folder_ / "project/entry_point.py"});
}

TEST_F(SessionTest, AnEditorsSaveBesideItDoes) {
  write("project/entry_point.py", "write and wait");
  start();
  const std::string written = folder_ / "project/hparams.yaml";
  while (read_file(written).empty()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  write("project/entry_point.py", "second trouble");
  const SessionView next = await([](const SessionView& view) { return is_told(view, "second trouble"); });
  EXPECT_EQ(next.save, 2u);
}

TEST_F(SessionTest, StopEndsItWithoutATrace) {
  start();
  await([](const SessionView& view) { return is_told(view, "first trouble"); });
  session_->stop();
  thread_.join();
  EXPECT_TRUE(status_ok_);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("skyline-")) << entry.path();
  }
}

TEST_F(SessionTest, APythonThatCanNotStartIsOneSentence) {
  write("package/skyline/_start.py", "raise ImportError('no torch here')\n");
  SessionOptions options;
  options.profile.project_root = folder_ / "project";
  options.python = {"python3", folder_ / "package", "skyline", ""};
  options.scratch_folder = folder_.path();
  const Status status = Session(options, {}).run();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().sentence.find("no torch here"), std::string::npos) << status.error().sentence;
}

}  // namespace
}  // namespace skyline::session
