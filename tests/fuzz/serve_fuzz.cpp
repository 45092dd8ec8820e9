// Whatever a client sends: HTTP, then WebSocket frames, then requests. The server is the real one, over
// loopback.
//
// An input begins with a letter. 'r': a request as a page would send it, answered in-process. 'h': bytes of
// an HTTP connection, in which @T and @H stand for the token and the host, as no input could guess them. 'w':
// bytes that follow a WebSocket's handshake.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "serve/http/test_client.h"
#include "serve/methods/registry.h"
#include "serve/serve.h"

namespace {

using skyline::serve::Context;
using skyline::serve::RawClient;
using skyline::serve::Server;

struct Running {
  skyline::serve::OpenedTraces traces;
  const Context context = {.program = "skyline fuzz", .traces = traces};
  std::unique_ptr<Server> server;
  std::string token, host;

  Running() {
    traces.put("0", "trace", std::make_shared<skyline::Trace>());
    server = Server::start({}, context).value();
    const std::string url = server->url();
    const size_t slash = url.find('/', 7);
    host = url.substr(7, slash - 7);
    token = url.substr(slash + 1, url.size() - slash - 2);
  }
};

Running& running() {
  static Running instance;
  return instance;
}

std::string replaced(std::string text, std::string_view from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// A client that does not get in is a server that is dead.
void must(bool is_fine) {
  if (!is_fine) std::abort();
}

// Until the server ends it, which it must: nothing more is coming.
void finish(const RawClient& client) {
  client.finish_sending();
  must(client.is_ended(30'000));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  Running& serving = running();
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'r') {
    must(!skyline::serve::answer_request(serving.context, text).body.empty());
  } else if (data[0] == 'h') {
    const RawClient client(serving.server->port());
    must(client.is_connected());
    client.send(replaced(replaced(text, "@T", serving.token), "@H", serving.host));
    finish(client);
  } else if (data[0] == 'w') {
    RawClient client(serving.server->port());
    must(client.upgrade("/" + serving.token + "/ws", serving.host));
    client.send(text);
    finish(client);
  }
  return 0;
}
