#include "serve/http/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "serve/http/bundle.h"
#include "serve/http/token.h"

namespace skyline::serve {
namespace {

constexpr std::string_view kOpen = "/open/", kResume = "/resume/";

struct Refusal {
  unsigned status;
  std::string_view sentence;
};
constexpr Refusal kRefusals[] = {
    {400, "This is no HTTP request that the server understands.\n"},
    {403, "This address needs the token that skyline printed when it started.\n"},
    {404, "There is no such file.\n"},
    {405, "Only GET and HEAD are answered here.\n"},
    {406, "The page is sent as gzip; please accept that encoding.\n"},
    {410,
     "This address opens the page once, soon after skyline has started, and has been used or is too old.\n"
     "Open the address that skyline printed in its terminal instead; that one works until skyline ends.\n"},
    {426, "This is the address of a WebSocket.\n"},
    {503, "Too many clients; close some pages and try again.\n"},
};

std::string with_port(std::string_view host, uint16_t port) {
  if (host.find(':') != std::string_view::npos) return fmt::format("[{}]:{}", host, port);
  return fmt::format("{}:{}", host, port);
}

std::string origin_of(const ServeAddress& address) {
  return fmt::format("http://{}", with_port(address.is_any ? address.machine : address.host, address.port));
}

// Digits and dots, or brackets: no name that anybody could point elsewhere.
bool is_number(std::string_view host) {
  return host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool is_our_host(const ServeAddress& address, std::string_view host) {
  const auto is = [&](std::string_view name) { return host == with_port(name, address.port); };
  if (is("127.0.0.1") || is("localhost") || is("::1") || is(address.host)) return true;
  if (!address.is_any || !host.ends_with(fmt::format(":{}", address.port))) return false;
  const std::string_view name = host.substr(0, host.rfind(':'));
  return !name.empty() && (is_number(name) || name == address.machine);
}

bool is_our_origin(std::string_view origin, std::string_view host) {
  return origin.empty() || origin == fmt::format("http://{}", host);
}

// What follows the token, without its slash; none if the token is wrong. "/<token>" itself gives "/".
std::optional<std::string_view> path_below_token(const ServeAddress& address, std::string_view target) {
  if (!target.starts_with('/')) return std::nullopt;
  target = target.substr(1, target.find_first_of("?#") - 1);
  const size_t slash = target.find('/');
  if (!is_same_token(target.substr(0, slash), address.token)) return std::nullopt;
  return slash == std::string_view::npos ? "/" : target.substr(slash + 1);
}

// Of "/open/<code>".
std::optional<std::string_view> code_in(std::string_view target) {
  if (!target.starts_with(kOpen)) return std::nullopt;
  return target.substr(kOpen.size());
}

bool accepts_gzip(std::string_view encodings) {
  return encodings.find("gzip") != std::string_view::npos || encodings.find('*') != std::string_view::npos;
}

// Nothing but our own files runs or is loaded; nobody else can frame the page, read it or hear its address.
void add_policies(std::vector<std::pair<std::string, std::string>>& headers, std::string_view host) {
  // CodeMirror and uPlot set styles while they run, hence unsafe-inline for styles alone.
  headers.emplace_back("Content-Security-Policy",
                       fmt::format("default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
                                   "img-src 'self' data:; font-src 'self'; connect-src 'self'{}; "
                                   "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
                                   host.empty() ? "" : fmt::format(" ws://{}", host)));
  headers.emplace_back("X-Content-Type-Options", "nosniff");
  headers.emplace_back("Referrer-Policy", "no-referrer");
  headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
}

HttpAnswer answer_file(const BundleFile& file, const HttpQuestion& question) {
  if (file.is_gzipped && !accepts_gzip(question.accepted_encodings)) return refuse_http(406);
  HttpAnswer answer;
  answer.body = file.bytes;
  answer.headers.emplace_back("Content-Type", file.content_type);
  if (file.is_gzipped) answer.headers.emplace_back("Content-Encoding", "gzip");
  answer.headers.emplace_back("Vary", "Accept-Encoding");
  // Names in assets/ hold a hash of their content.
  const bool is_hashed = file.path.starts_with("assets/");
  answer.headers.emplace_back("Cache-Control",
                              is_hashed ? "private, max-age=31536000, immutable" : "no-store");
  add_policies(answer.headers, question.host);
  return answer;
}

HttpAnswer refuse_verb(std::string_view allowed) {
  HttpAnswer answer = refuse_http(405);
  answer.headers.emplace_back("Allow", allowed);
  return answer;
}

HttpAnswer lead_to_page(const ServeAddress& address, unsigned status) {
  HttpAnswer answer = refuse_http(status);
  answer.headers.emplace_back("Location", fmt::format("/{}/", address.token));
  return answer;
}

// Gives nothing away, and spends nothing, unless a code is used as we meant it.
HttpAnswer answer_code(const ServeAddress& address, OneTimeCodes& codes, std::string_view code,
                       const HttpQuestion& question) {
  const OneTimeCodes::Clock::time_point now = OneTimeCodes::Clock::now();
  const OneTimeCodes::State state = codes.state(code, now);
  if (state == OneTimeCodes::State::kUnknown || !question.is_our_user()) return refuse_http(403);
  if (question.verb != "GET") return refuse_verb("GET");
  return codes.use(code, now) ? lead_to_page(address, 303) : refuse_http(410);
}

HttpAnswer without_content() {
  HttpAnswer answer;
  answer.headers.emplace_back("Cache-Control", "no-store");
  add_policies(answer.headers, "");
  return answer;
}

// "<number>" or "<number>/<ours>/<proof>".
HttpAnswer answer_resume(const ServeAddress& address, Resumption& resumption, std::string_view words,
                         const HttpQuestion& question) {
  const Resumption::Clock::time_point now = Resumption::Clock::now();
  const size_t first = words.find('/'), second = words.find('/', first + 1);
  const std::string_view number = words.substr(0, first);
  if (question.verb != "GET") return refuse_http(403);
  if (first == words.npos) {
    const std::optional<Resumption::Challenge> challenge = resumption.challenge(number, question.host, now);
    if (!challenge) return refuse_http(403);
    HttpAnswer answer = without_content();
    answer.headers.emplace_back("Skyline-Number", challenge->number);
    answer.headers.emplace_back("Skyline-Proof", challenge->proof);
    return answer;
  }
  if (second == words.npos) return refuse_http(403);
  const std::string_view ours = words.substr(first + 1, second - first - 1);
  if (!resumption.admits(number, ours, words.substr(second + 1), question.host, now)) return refuse_http(403);
  HttpAnswer answer = without_content();
  answer.headers.emplace_back("Skyline-Token", address.token);
  return answer;
}

// For who has the token.
HttpAnswer answer_owner(const ServeAddress& address, std::string_view path, const HttpQuestion& question) {
  if (question.verb != "GET" && question.verb != "HEAD") {
    return refuse_verb("GET, HEAD");
  }
  if (path == "ws") {
    if (!question.is_upgrade) return refuse_http(426);
    return {.is_socket = true, .status = 101, .headers = {}, .body = {}};
  }
  if (path == "/") return lead_to_page(address, 308);  // relative addresses in the page need the slash
  const BundleFile* file = find_in_bundle(path.empty() ? "index.html" : path);
  return file == nullptr ? refuse_http(404) : answer_file(*file, question);
}

}  // namespace

std::string url_of(const ServeAddress& address) {
  return fmt::format("{}/{}/", origin_of(address), address.token);
}

std::string one_time_url_of(const ServeAddress& address, std::string_view code) {
  return fmt::format("{}{}{}", origin_of(address), kOpen, code);
}

HttpAnswer refuse_http(unsigned status) {
  HttpAnswer answer;
  answer.status = status;
  for (const Refusal& refusal : kRefusals) {
    if (refusal.status == status) answer.body = refusal.sentence;
  }
  answer.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  answer.headers.emplace_back("Cache-Control", "no-store");
  add_policies(answer.headers, "");
  return answer;
}

HttpAnswer answer_http(const ServeAddress& address, OneTimeCodes& codes, const HttpQuestion& question,
                       Resumption* resumption) {
  // Until all of this is right, every answer is the same.
  if (!is_our_host(address, question.host) || !is_our_origin(question.origin, question.host)) {
    return refuse_http(403);
  }
  if (const std::optional<std::string_view> code = code_in(question.target)) {
    return answer_code(address, codes, *code, question);
  }
  if (resumption != nullptr && question.target.starts_with(kResume)) {
    return answer_resume(address, *resumption, question.target.substr(kResume.size()), question);
  }
  const std::optional<std::string_view> path = path_below_token(address, question.target);
  if (!path) return refuse_http(403);
  HttpAnswer answer = answer_owner(address, *path, question);
  answer.is_admitted = true;
  return answer;
}

}  // namespace skyline::serve
