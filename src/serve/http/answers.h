// What an HTTP request gets: a file of the page, a WebSocket, or one sentence. Knows no socket.
//
// Every path begins with the token, so that relative addresses in the page carry it by themselves. Host must
// be ours: a name that somebody else points at 127.0.0.1 is not (DNS rebinding). Origin, where a browser
// names one, must be ours: other sites' pages may open WebSockets to anywhere.
//
// "/open/<code>" leads to the page without the token, once, and only for our own user: browsers are started
// with it, and who can list processes sees it. No cookie: browsers send those to every port of a machine, to
// servers of others, too. "/resume/…" gives a page of a server before its successor's token (resumption.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/http/one_time_codes.h"
#include "serve/http/resumption.h"

namespace skyline::serve {

// Where a server is to be found.
struct ServeAddress {
  std::string host;  // as it was asked for: "127.0.0.1", "::1", "gpu-box"
  uint16_t port = 0;
  std::string token;
  bool is_any = false;  // listens on all addresses of the machine; `machine` is its name
  std::string machine = {};
};

// "http://127.0.0.1:40123/<token>/"
std::string url_of(const ServeAddress& address);

// "http://127.0.0.1:40123/open/<code>"
std::string one_time_url_of(const ServeAddress& address, std::string_view code);

struct HttpQuestion {
  std::string_view verb;  // "GET"
  std::string_view target;
  std::string_view host;
  std::string_view origin;  // empty: none was sent
  std::string_view accepted_encodings;
  bool is_upgrade = false;                                   // to a WebSocket
  std::function<bool()> is_our_user = [] { return false; };  // costs a look at all of the system's sockets
};

struct HttpAnswer {
  bool is_admitted = false;  // the token was right; who has shown none is sent away after the answer
  bool is_socket = false;    // the rest does not count then
  unsigned status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string_view body;  // lives as long as the program
};

HttpAnswer answer_http(const ServeAddress& address, OneTimeCodes& codes, const HttpQuestion& question,
                       Resumption* resumption = nullptr);

// One of the fixed refusals: 400 no HTTP, 503 too many clients.
HttpAnswer refuse_http(unsigned status);

}  // namespace skyline::serve
