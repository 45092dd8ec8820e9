// What pages ask for: the methods by themselves, then the whole server over a socket.
#include <set>

#include "every_allocation.h"
#include "serve/http/test_client.h"
#include "serve/methods/registry.h"
#include "serve/serve.h"
#include "small_traces.h"

namespace skyline::faults {
namespace {

using TracePtr = std::shared_ptr<const Trace>;

struct Question {
  const char* method;
  const char* params;
};
constexpr Question kQuestions[] = {
    {"hello", ""},
    {"overview", ""},
    {"table", R"(,"name":"ops","sort":"name","filter":"linear")"},
    {"table", R"(,"name":"calls","sort":"duration","limit":3)"},
    {"flame", R"(,"by":"module","time":"device")"},
    {"flame", R"(,"by":"stack","time":"host")"},
    {"memory_curve", R"(,"points":5)"},
    {"memory_peak", ""},
    {"breakdown", ""},
    {"timeline", ""},
    {"tiles", R"(,"level":8,"index":0,"tracks":[0,1,2])"},
    {"counter_tiles", R"(,"level":8,"index":0,"counters":[0])"},
    {"slice", R"(,"slice":2)"},
    {"search", R"(,"text":"ATEN","limit":2)"},
    {"range", R"(,"start_ns":0,"end_ns":100000,"tracks":[0,1])"},
    {"sources", ""},
    {"source", R"(,"path":"model.py")"},
    {"unsaved", R"(,"is_unsaved":true)"},
};

std::string request(const Question& question) {
  const std::string params = std::string(R"({"trace":"1")") + question.params + "}";
  return std::string(R"({"id":7,"method":")") + question.method + R"(","params":)" + params + "}";
}

// A refusal for want of memory as an error of ours; whatever else comes back is the answer.
std::string outcome(const std::string& body) {
  const bool is_refusal = body.find("not enough memory") != std::string::npos;
  return is_refusal ? error_text(body) : body;
}

// After the failure the same question gets the right answer: nothing half-made was kept.
std::string ask(Trial& trial, const TracePtr& trace, const std::string& text) {
  serve::OpenedTraces traces;
  traces.put("1", "test", trace);
  const serve::SourceFiles sources("", "");
  const serve::Context context = {.program = "skyline test", .traces = traces, .sources = &sources};
  std::string first;
  bool is_thrown = false;
  try {
    first = trial([&] { return serve::answer_request(context, text); }).body;
  } catch (const std::bad_alloc&) {
    is_thrown = true;
  }
  const std::string second = serve::answer_request(context, text).body;
  if (is_thrown) throw std::bad_alloc();
  const std::string answer = outcome(first);
  return answer == first && first != second ? "another answer than the second time: " + first : answer;
}

// ---- Over a socket. ----------------------------------------------------------------------------

struct Running {
  explicit Running(const TracePtr& trace) {
    traces.put("1", "test", trace);
    server = serve::Server::start({}, context).value();
    const std::string url = server->url();
    const size_t slash = url.find('/', 7);
    host = url.substr(7, slash - 7);
    path = url.substr(slash);
  }

  serve::OpenedTraces traces;
  const serve::Context context = {.program = "skyline test", .traces = traces};
  std::unique_ptr<serve::Server> server;
  std::string host, path;
};

// The page's text and two answers; "gone" where the server ended the connection instead.
std::string converse(const Running& running) {
  const Exempt exempt;
  std::string heard;
  {
    const serve::RawClient page(running.server->port());
    page.send("GET " + running.path + " HTTP/1.1\r\nHost: " + running.host + "\r\nConnection: close\r\n\r\n");
    heard += page.receive_all().starts_with("HTTP/1.1 200") ? "page " : "gone ";
  }
  serve::RawClient socket(running.server->port());
  if (!socket.upgrade(running.path + "ws", running.host)) return heard + "gone";
  for (const char* method : {"hello", "overview", "timeline"}) {
    socket.send(serve::RawClient::frame(request({method, ""})));
    const std::optional<std::string> answer = socket.message();
    if (!answer) return heard + "gone";
    const bool is_answered = answer->find(R"("result")") != std::string::npos;
    heard += is_answered ? "answer " : error_text(*answer);
  }
  return heard;
}

// While memory is short the server may let clients go; afterwards it serves everybody as before.
std::string serve_through(Trial& trial, Running& running) {
  const std::string heard = trial([&] { return converse(running); });
  const std::string afterwards = converse(running);
  if (afterwards != "page answer answer answer ") return "after the failure it only says: " + afterwards;
  const bool is_refused = heard.find("gone") != std::string::npos || heard.find("error") != std::string::npos;
  return is_refused ? error_text("not enough memory: " + heard) : heard;
}

}  // namespace

void add_serving_cases(Cases& cases) {
  const TracePtr json = ingest::read_trace_bytes(kineto_text(), "t", small_pieces()).value();
  const TracePtr recorded = ingest::read_trace_bytes(recording_bytes(), "t", small_pieces()).value();
  for (const auto& [of, trace] : {std::pair("", json), std::pair(" of a recording", recorded)}) {
    int number = 0;
    for (const Question& question : kQuestions) {
      cases.push_back(
          {"serve " + std::string(question.method) + " " + std::to_string(++number) + of,
           [text = request(question), trace = trace](Trial& trial) { return ask(trial, trace, text); }});
    }
  }
  cases.push_back({"serve start", [json](Trial& trial) {
                     serve::OpenedTraces traces;
                     const serve::Context context = {.program = "skyline test", .traces = traces};
                     const auto server = trial([&] { return serve::Server::start({}, context); });
                     return server.ok() ? std::string("started") : error_text(server.error().sentence);
                   }});
  const auto running = std::make_shared<Running>(json);
  cases.push_back(
      {"serve a page", [running](Trial& trial) { return serve_through(trial, *running); }, false, 250});
}

}  // namespace skyline::faults
