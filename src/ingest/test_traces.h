// Random traces, small and nasty: every kind of event, texts that need decoding, and damage if asked for.
#pragma once

#include <random>
#include <string>

namespace skyline::ingest {

class TestTraces {
 public:
  explicit TestTraces(unsigned seed) : random_(seed) {}

  std::string trace(int event_count, bool with_damage) {
    damage_ = with_damage;
    const bool array = one_in(5);
    std::string text =
        array ? "["
              : R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "A"}, {"id": 1}], )" + log() +
                    R"("with_stack": 1, "traceEvents": [)";
    for (int i = 0; i < event_count; ++i) {
      if (i > 0)
        text += damage_ && one_in(20) ? pick({" ", ",,", ", 5,", ", ]", ", }", "x", ", \"s\" ,"}) : ",";
      text += pick({"", " ", "\n  "}) + (damage_ && one_in(10) ? damaged(event()) : event());
    }
    text += array ? "]" : "], " + log() + R"("baseTimeNanoseconds": 1727367894000000000, "traceName": "x"})";
    return text + pick({"", "\n", " \n"});
  }

 private:
  using Choices = std::initializer_list<const char*>;

  bool one_in(uint32_t n) { return random_() % n == 0; }
  int below(uint32_t n) { return static_cast<int>(random_() % n); }
  std::string number(uint32_t n) { return std::to_string(below(n)); }
  std::string pick(Choices choices) { return choices.begin()[random_() % choices.size()]; }

  std::string log() {
    if (!damage_ || one_in(2)) return "";
    return R"("INFO": ["a )" + pick({"", "\\\"b\\\"", "\"b\"", "\"", "[", "\n"}) + R"( c", "d"], )";
  }

  std::string name() {
    return pick({"aten::mm", "aten::linear", "ProfilerStep#1", "ProfilerStep#2", "Optimizer.step#SGD.step",
                 "nccl", "gr\\u00fcn", "\\ud83d\\ude00", "\\ud83d", "C:\\\\Users", "a\\\"b", "\xc3\xa4", "",
                 "}, {\\\"ph\\\": 1", "[", "{", "]}", "tab\\t"}) +
           (one_in(3) ? number(5) : "");
  }

  std::string time() {
    const std::string whole = number(2000);
    return one_in(2) ? whole + "." + std::to_string(1000 + below(1000)).substr(1) : whole;
  }

  std::string odd_time() { return pick({"\"12.5\"", "NaN", "1e2", "1e300", "-5", "null", "12.0001", "[1]"}); }

  std::string args() {
    std::string text = "{";
    const auto add = [&](const std::string& member) { text += (text.size() > 1 ? ", " : "") + member; };
    if (one_in(2)) add("\"External id\": " + number(50));
    if (one_in(2)) add("\"correlation\": " + number(20));
    if (one_in(3)) add("\"Sequence number\": " + number(8) + ", \"Fwd thread id\": " + number(3));
    if (one_in(4))
      add("\"stream\": " + pick({"7", "\"0x7f\"", "-1", "4294967295", "\"x\""}) + ", \"device\": 0");
    if (one_in(5)) add(R"("Input Dims": [[1, 2], []], "Input type": ["float", ""])");
    if (one_in(8)) add(R"("Concrete Inputs": ["", ")" + number(3) + R"("], "Input Strides": [[2, 1], []])");
    if (one_in(8))
      add(R"("Collective name": "allreduce", "dtype": "float", "In msg nelems": 5, "Group size": 2, "Process Group Ranks": [0, 1])");
    if (one_in(4))
      add(R"("grid": [)" + number(3) + R"(, 2, 1], "block": [32, 1, 1], "est. achieved occupancy %": )" +
          number(3) + R"(, "graph node id": )" + number(2));
    if (one_in(8)) add(R"("kernel_backend": "triton", "num_warps": )" + number(3));
    if (one_in(8)) add(R"("wait_on_stream": 7, "cuda_sync_kind": "Event Sync")");
    if (one_in(8)) add(R"("list": [{"a": 1}, {"b": "}, {\"c"}], "deep": [[[[]]]])");
    if (one_in(8)) add(R"("Python id": 5, "Python parent id": 4)");
    if (one_in(10)) add(R"("stream": 8, "stream": null)");
    return text + "}";
  }

  std::string event() {
    const std::string space = pick({"", " ", "\n    "});
    const std::string place = "\"pid\": " + pick({"1", "2", "\"p\""}) + "," + space + "\"tid\": " + number(4);
    const std::string ts = "\"ts\": " + (one_in(30) ? odd_time() : time());
    switch (below(12)) {
      case 0:
        return "{\"ph\": \"i\", \"name\": \"[memory]\", " + place + "," + space + ts +
               ", \"args\": {\"Bytes\": " + number(100) + ", \"Addr\": 5, \"Device Type\": 1}}";
      case 1:
        return "{\"ph\": \"C\", \"name\": \"counter\", " + place + ", " + ts +
               ", \"args\": {\"a\": 1.5, \"b\": " + number(9) + "}}";
      case 2:
        return "{\"ph\": \"" + pick({"s", "f"}) +
               "\", \"cat\": \"fwdbwd\", \"name\": \"fwdbwd\", \"id\": " + number(5) + ", " + place + ", " +
               ts + "}";
      case 3:
        return "{\"ph\": \"M\", \"name\": \"" +
               pick({"process_name", "thread_name", "process_labels", "thread_sort_index"}) + "\", " + place +
               ", \"args\": {\"name\": \"" + name() + "\", \"labels\": \"" + name() + "\"}}";
      case 4:
        return pick({"{}", "{\"ph\": \"B\"}", "{\"ph\": \"X\", \"ts\": 1}",
                     "{\"ph\": \"X\", \"ts\": 1, \"dur\": -1}"});
      default:
        return "{" + space + "\"ph\": \"X\", \"cat\": \"" +
               pick({"cpu_op", "cpu_op", "Operator", "user_annotation", "python_function", "cuda_runtime",
                     "cuda_driver", "kernel", "kernel", "gpu_memcpy", "gpu_memset", "gpu_user_annotation",
                     "cuda_sync", "overhead", "Trace", "unheard of"}) +
               "\", \"name\": \"" + name() + "\", " + place + "," + space + ts +
               ", \"dur\": " + (one_in(30) ? odd_time() : number(300)) + "," + space + "\"args\": " + args() +
               space + "}";
    }
  }

  std::string damaged(std::string text) {
    const size_t at = random_() % text.size();
    switch (below(4)) {
      case 0:
        return text.insert(at, pick({"\"", "\" \"", "\n", "\x01", "\xff", "}", "{", "]", ",", "\\"}));
      case 1:
        return text.erase(at, 1 + random_() % 5);
      case 2:
        return R"({"ph": "X", "name": "a "b" c", "pid": 1, "tid": 1, "ts": 1, "dur": 2})";
      default:
        return text.erase(at);
    }
  }

  std::mt19937 random_;
  bool damage_ = false;
};

}  // namespace skyline::ingest
