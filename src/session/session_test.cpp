// A session whose Python has no torch: a package that only speaks the protocol stands in for ours.
#include "session/session.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "base/test_folder.h"

namespace skyline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kZygote = R"(
import json, os, socket, sys
control = socket.socket(fileno=int(sys.argv[1]))
control.send(json.dumps({"ready": {"python": "3", "torch": "0"}}).encode())
while True:
    data, descriptors, _, _ = socket.recv_fds(control, 65536, 8)
    if not data:
        break
    message = json.loads(data)
    if "start" not in message:
        continue
    number, pid = message["start"], os.fork()
    if pid == 0:
        worker = socket.socket(fileno=descriptors[2])
        file = worker.makefile("r")
        for line in file:
            path = json.loads(line)["entry_point"]
            sentence = open(path).read().strip()
            if sentence == "sleep":
                import time
                time.sleep(1000)
            answer = {"error": {"path": path, "line": 1, "sentence": sentence}}
            worker.sendall(json.dumps(answer).encode() + b"\n")
        os._exit(0)
    control.send(json.dumps({"started": number, "pid": pid}).encode())
    for descriptor in descriptors:
        os.close(descriptor)
)";

class SessionTest : public testing::Test {
 protected:
  void SetUp() override {
    write("package/skyline/__init__.py", "");
    write("package/skyline/_zygote.py", kZygote);
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
  write("package/skyline/_zygote.py", "raise ImportError('no torch here')\n");
  SessionOptions options;
  options.profile.project_root = folder_ / "project";
  options.python = {"python3", folder_ / "package", "skyline", ""};
  options.scratch_folder = folder_.path();
  const Status status = Session(options, {}).run();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().sentence.find("no torch here"), std::string::npos) << status.error().sentence;
}

}  // namespace
}  // namespace skyline
