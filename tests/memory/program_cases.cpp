// The whole program: whatever fails, it ends with code 2 and a sentence on standard error, or says what it
// always says.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/test_folder.h"
#include "cli/program.h"
#include "every_allocation.h"
#include "ingest/text/test_pack.h"
#include "small_traces.h"

namespace skyline::faults {
namespace {

// Standard output or error, into memory for as long as this lives.
class Captured {
 public:
  explicit Captured(int stream)
      : stream_(stream),
        before_(::fcntl(stream, F_DUPFD_CLOEXEC, 3)),
        file_(::memfd_create("captured", MFD_CLOEXEC)) {
    ::dup2(file_, stream_);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  ~Captured() {
    ::dup2(before_, stream_);
    ::close(before_);
    ::close(file_);
  }

  std::string text() const {
    std::string text(static_cast<size_t>(::lseek(file_, 0, SEEK_END)), '\0');
    text.resize(static_cast<size_t>(::pread(file_, text.data(), text.size(), 0)));
    return text;
  }

 private:
  const int stream_, before_, file_;
};

std::string run(Trial& trial, std::vector<std::string> words) {
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  std::string out, complaint;
  int code = 0;
  {
    const Captured output(STDOUT_FILENO), errors(STDERR_FILENO);
    code = trial([&] { return cli::run_program(pointers, "1.0"); });
    out = output.text();
    complaint = errors.text();
  }
  if (code != 2) return std::to_string(code) + ": " + out + complaint;
  const bool is_sentence = complaint.starts_with("skyline: ") && complaint.ends_with("\n");
  return is_sentence ? error_text(complaint) : "no sentence: " + complaint;
}

}  // namespace

void add_program_cases(Cases& cases) {
  const auto folder = std::make_shared<TestFolder>();
  const std::string json = folder->write("t.json", kineto_text());
  const std::string packed = folder->write("t.json.gz", ingest::gzip(kineto_text()));
  const std::string recording = folder->write("t.skyline", recording_bytes());
  const std::string out = *folder / "out.skyline";
  const std::vector<std::vector<std::string>> commands = {
      {"report", json, "--threads", "1"},
      {"report", recording, packed, "--format", "json", "--threads", "2"},
      {"info", recording, "--threads", "1"},
      {"check", json, "--threads", "1"},
      {"show", "ops", packed, "--format", "csv", "--threads", "1"},
      {"show", "kernels", json, "--threads", "1"},
      {"convert", json, "-o", out, "--force", "--threads", "2"},
      {"explain", "device.busy"},
  };
  for (const std::vector<std::string>& words : commands) {
    cases.push_back({"program " + words[0] + " " + words[1].substr(words[1].rfind('/') + 1),
                     [words, folder](Trial& trial) { return run(trial, words); }, false, 250});
  }
}

}  // namespace skyline::faults
