// What commands that serve a page share: where to listen, how the user hears of it, and how it ends.
//
//   EndSignals signals;                                    // before any thread is started
//   SKYLINE_TRY(auto server, Server::start(serve_options(arguments), served));
//   announce(*server, arguments, context);
//   signals.wait();
#pragma once

#include <csignal>
#include <string>

#include "cli/setup/command.h"
#include "serve/serve.h"

namespace skyline::cli {

serve::ServeOptions serve_options(const Arguments& arguments);

// Prints the address (over SSH also the line that makes it reachable from there), warns if other machines can
// reach it, and opens a browser unless there is none or the user does not want it.
void announce(serve::Server& server, const Arguments& arguments, const Context& context);

// What it prints: the address and, over SSH, the line that makes it reachable; and the warning, empty where
// there is no need for one. For a screen that is redrawn.
std::string address_lines(const serve::Server& server, const Arguments& arguments, const Context& context);
std::string warning_of_host(const Arguments& arguments);

// While this lives, SIGINT, SIGTERM and SIGHUP end nothing but a wait(). Threads that are older than this are
// still ended by them, and the program with these.
class EndSignals {
 public:
  EndSignals();
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  void wait() const;

 private:
  sigset_t signals_, before_;
};

// ---- For tests. --------------------------------------------------------------------------------

bool is_loopback(std::string_view host);

// "ssh -N -L 4000:127.0.0.1:4000 me@10.0.0.7", from SSH_CONNECTION as the SSH server sets it; empty: not over
// SSH.
std::string tunnel_line(const std::string& ssh_connection, const std::string& user, const std::string& host,
                        uint16_t port);

}  // namespace skyline::cli
