#include "session/process/messages.h"

#include <gtest/gtest.h>

namespace skyline::session {
namespace {

TEST(MessagesTest, CommandsAreOneLineOfJson) {
  Load load;
  load.entry_point = "/p/entry \"point\".py";
  load.project_root = "/p";
  load.recording = "/t/memory";
  load.endings = {".py", ".h"};
  load.arguments = {"--epochs", "2"};
  load.edit_path = "/p/train.py";
  load.edit_begin = 4;
  load.edit_end = 6;
  load.edit_text = "64";
  EXPECT_EQ(load_command(load),
            "{\"do\": \"load\", \"entry_point\": \"/p/entry \\\"point\\\".py\", \"project_root\": \"/p\", "
            "\"recording\": \"/t/memory\", \"endings\": [\".py\", \".h\"], "
            "\"arguments\": [\"--epochs\", \"2\"], \"module\": \"\", \"edit_path\": \"/p/train.py\", "
            "\"edit_begin\": 4, \"edit_end\": 6, \"edit_text\": \"64\", \"loaders_from\": 0, "
            "\"loaders_to\": 0}\n");
  EXPECT_EQ(iterate_command({32, 5, 1000}),
            "{\"do\": \"iterate\", \"batch_size\": 32, \"count\": 5, \"limit_ns\": 1000}\n");
  EXPECT_EQ(record_command({"/t/batch", RecordedKind::kMemory}),
            "{\"do\": \"record\", \"recording\": \"/t/batch\", \"what\": \"memory\"}\n");
  EXPECT_EQ(stop_recording_command(), "{\"do\": \"stop_recording\"}\n");
}

TEST(MessagesTest, WhatWasLoaded) {
  const Attempt<Loaded> loaded = parse_loaded(
      R"({"loaded": {"batch_size": 32, "literal": {"path": "e.py", "value": 32, "begin_byte": 4, "end_byte": 6,
          "line": 1, "begin_column": 4, "end_column": 6, "file_hash": "ab"}, "no_literal": "", "device": "cuda:0",
          "device_memory_bytes": 80, "files": [{"path": "e.py", "sha256": "ab"}], "modules": ["numpy"],
          "is_script": true, "script_workers": 2, "samples": 128, "other_sizes": "argument", "argument": 1,
          "argument_prefix": "--batch-size="}})");
  ASSERT_TRUE(loaded.ok()) << loaded.error().sentence;
  EXPECT_EQ(loaded.value().batch_size, 32);
  ASSERT_TRUE(loaded.value().literal);
  EXPECT_EQ(loaded.value().literal->end_byte, 6);
  EXPECT_EQ(loaded.value().device, "cuda:0");
  EXPECT_EQ(loaded.value().device_memory_bytes, 80);
  EXPECT_EQ(loaded.value().files.front().sha256, "ab");
  EXPECT_EQ(loaded.value().modules, std::vector<std::string>{"numpy"});
  EXPECT_TRUE(loaded.value().is_script);
  EXPECT_EQ(loaded.value().samples, 128);
  EXPECT_EQ(loaded.value().argument_prefix, "--batch-size=");
}

TEST(MessagesTest, WhatTheCodeDoes) {
  EXPECT_EQ(std::get<WritesFile>(parse_doing(R"({"writes": {"path": "/p/version.py"}})").value()).path,
            "/p/version.py");
  EXPECT_TRUE(std::holds_alternative<StartsPrograms>(parse_doing(R"({"starts": {}})").value()));
  const Doing doing =
      parse_doing(R"({"kills": {"signal": "SIGKILL", "path": "/p/m.py", "line": 7}})").value();
  EXPECT_EQ(std::get<KillsParent>(doing).signal, "SIGKILL");
  EXPECT_EQ(std::get<KillsParent>(doing).line, 7);
  EXPECT_FALSE(parse_doing("{}").ok());
}

TEST(MessagesTest, HowTheZygoteWent) {
  const auto told = [](const char* text) {
    return end_of(std::get<ZygoteGone>(parse_zygote_message(text).value()));
  };
  EXPECT_EQ(told(R"({"gone": {"signal": "SIGSTOP"}})").signal, "SIGSTOP");
  EXPECT_EQ(told(R"({"gone": {"code": 3}})").code, 3);
}

TEST(MessagesTest, ErrorsOfUserCodeKeepTheirPlace) {
  const Attempt<Iterated> failed =
      parse_iterated(R"({"error": {"path": "/p/m.py", "line": 7, "sentence": "the iteration raised X"}})");
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().kind, Trouble::Kind::kUserCode);
  EXPECT_EQ(failed.error().path, "/p/m.py");
  EXPECT_EQ(failed.error().line, 7);
}

TEST(MessagesTest, ExhaustedMemoryIsToldApart) {
  const auto is_out_of_memory = [](const std::string& sentence) {
    return parse_iterated(R"({"error": {"path": "", "line": 0, "sentence": ")" + sentence + "\"}}")
        .error()
        .is_out_of_memory;
  };
  EXPECT_TRUE(is_out_of_memory(
      "the iteration raised RuntimeError: [enforce fail at alloc_cpu.cpp:116] err == 0. DefaultCPUAllocator: "
      "can't allocate memory: you tried to allocate 274877906944 bytes. Error code 12"));
  EXPECT_TRUE(is_out_of_memory("the iteration raised OutOfMemoryError: CUDA out of memory."));
  EXPECT_TRUE(is_out_of_memory("the model provider raised MemoryError"));
  EXPECT_FALSE(is_out_of_memory("the iteration raised ValueError: no data"));
}

// Only a script that has ended may have none.
std::string no_iterations(const char* is_over) {
  return std::string(
             R"({"iterated": {"durations_ns": [], "compile_ns": [], "data_ns": [], "samples": [], )") +
         R"("inputs": [], "resident_peak_bytes": 1, "page_faults": 0, "is_over": )" + is_over + "}}";
}

TEST(MessagesTest, AScriptMayEndBeforeItHasDoneWhatWasAsked) {
  const Attempt<Iterated> over = parse_iterated(no_iterations("true"));
  ASSERT_TRUE(over.ok()) << over.error().sentence;
  EXPECT_TRUE(over.value().is_over);
  EXPECT_FALSE(parse_iterated(no_iterations("false")).ok());
}

TEST(MessagesTest, AnythingElseIsOurTrouble) {
  for (
      const char* text :
      {"", "[]", "{", "{\"iterated\": 3}", "{\"iterated\": {\"durations_ns\": [1]}}", "{\"error\": 4}",
       R"({"iterated": {"durations_ns": [], "compile_ns": [], "inputs": [], "resident_peak_bytes": 1, "page_faults": 0}})",
       R"({"iterated": {"durations_ns": ["1"], "compile_ns": [0], "inputs": [], "resident_peak_bytes": 1, "page_faults": 0}})"}) {
    const Attempt<Iterated> answer = parse_iterated(text);
    ASSERT_FALSE(answer.ok()) << text;
    EXPECT_EQ(answer.error().kind, Trouble::Kind::kOurs) << text;
  }
}

TEST(MessagesTest, WhatTheZygoteSays) {
  const auto parsed = [](const char* text) { return parse_zygote_message(text).value(); };
  EXPECT_EQ(std::get<ZygoteReady>(parsed(R"({"ready": {"python": "3.11", "torch": "2.13"}})")).torch, "2.13");
  EXPECT_EQ(std::get<ZygoteTainted>(parsed(R"({"tainted": {"module": "m", "why": "w"}})")).module, "m");
  EXPECT_EQ(std::get<TaskStarted>(parsed(R"({"started": {"number": 7, "pid": 42}})")).pid, 42);
  EXPECT_EQ(end_of(std::get<TaskEnded>(parsed(R"({"ended": {"number": 7, "signal": "SIGSEGV"}})"))).signal,
            "SIGSEGV");
  EXPECT_EQ(end_of(std::get<TaskEnded>(parsed(R"({"ended": {"number": 7, "code": 3}})"))).code, 3);
  EXPECT_FALSE(parse_zygote_message("{}").ok());
}

}  // namespace
}  // namespace skyline::session
