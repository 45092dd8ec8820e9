#include "cli/setup/serving.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <sstream>

#include "cli/setup/serve_arguments.h"
#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

// In a session of its own, so that Ctrl-C does not reach it, and silent. Whether it works is not our
// business: the address is printed.
void open_browser(const std::string& url) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0);
  }
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);  // or it would keep our port
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  std::string program = "xdg-open", address = url;
  const std::array<char*, 3> words = {program.data(), address.data(), nullptr};
  pid_t pid = 0;
  static_cast<void>(::posix_spawnp(&pid, program.c_str(), &files, &attributes, words.data(), ::environ));
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
}

}  // namespace

serve::ServeOptions serve_options(const Arguments& arguments) {
  serve::ServeOptions options;
  if (!arguments.text(kHostArgument).empty()) options.host = arguments.text(kHostArgument);
  options.port = static_cast<uint16_t>(arguments.number(kPortArgument).value_or(0));
  return options;
}

bool is_loopback(std::string_view host) {
  return host.empty() || host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::string tunnel_line(const std::string& ssh_connection, const std::string& user, const std::string& host,
                        uint16_t port) {
  // Address and port of the client, then those of the server.
  std::istringstream words(ssh_connection);
  std::string client, client_port, server;
  if (!(words >> client >> client_port >> server)) return "";
  const std::string at = user.empty() ? "" : fmt::format("{}@", user);
  const bool is_long = host.find(':') != std::string::npos;
  return fmt::format("ssh -N -L {0}:{1}:{0} {2}{3}", port, is_long ? fmt::format("[{}]", host) : host, at,
                     server);
}

std::string warning_of_host(const Arguments& arguments) {
  const std::string host = serve_options(arguments).host;
  if (is_loopback(host)) return "";
  return fmt::format(
      "other machines can reach {}: whoever knows the address below, token and all, can see these traces and "
      "sources, and nothing is encrypted; ssh -L without --host is safer",
      printable(host));
}

std::string address_lines(const serve::Server& server, const Arguments& arguments, const Context& context) {
  const Environment& environment = context.environment;
  const std::string host = serve_options(arguments).host;
  const std::string tunnel = tunnel_line(environment.ssh_connection, environment.user, host, server.port());
  std::string lines = server.url() + "\n";
  if (is_loopback(host) && !tunnel.empty()) {
    lines += fmt::format("on the machine before you, first: {}\n", printable(tunnel));
  }
  return lines;
}

void announce(serve::Server& server, const Arguments& arguments, const Context& context) {
  const std::string warning = warning_of_host(arguments);
  if (!warning.empty()) context.console.complain(warning);
  fmt::print("{}", address_lines(server, arguments, context));
  std::fflush(stdout);  // whoever has started us may wait for it
  const bool is_remote = !context.environment.ssh_connection.empty();
  // Not with the token: a browser's words are seen by all users of the machine.
  if (!arguments.has(kNoOpenArgument) && context.environment.has_display && !is_remote)
    open_browser(server.one_time_url());
}

EndSignals::EndSignals() {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
}

EndSignals::~EndSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void EndSignals::wait() const {
  int signal = 0;
  while (sigwait(&signals_, &signal) != 0) continue;
}

}  // namespace skyline::cli
