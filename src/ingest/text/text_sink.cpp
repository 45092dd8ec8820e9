#include "ingest/text/text_sink.h"

#include <fcntl.h>
#include <isa-l/igzip_lib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace skyline::ingest {
namespace {

class PlainSink : public TextSink {
 public:
  explicit PlainSink(std::string path) : path_(std::move(path)) {}
  PlainSink(const PlainSink&) = delete;
  PlainSink& operator=(const PlainSink&) = delete;
  ~PlainSink() override {
    if (fd_ >= 0) ::close(fd_);
  }

  Status create() {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd_ < 0) return Error{"cannot create " + path_ + ": " + std::strerror(errno)};
    return Done{};
  }

  Status write(std::string_view text) override {
    while (!text.empty()) {
      const ssize_t n = ::write(fd_, text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return failed(n < 0 ? errno : ENOSPC);
      text.remove_prefix(static_cast<size_t>(n));
    }
    return Done{};
  }

  Status start_over() override {
    if (::ftruncate(fd_, 0) != 0 || ::lseek(fd_, 0, SEEK_SET) != 0) return failed(errno);
    return Done{};
  }

  Status finish() override {
    const int fd = fd_;
    fd_ = -1;
    if (::close(fd) != 0 && errno != EINTR) return failed(errno);
    return Done{};
  }

 private:
  Error failed(int error) const {
    const char* cure = error == ENOSPC || error == EDQUOT ? "; free some space or write elsewhere" : "";
    return {"cannot write to " + path_ + ": " + std::strerror(error) + cure};
  }

  int fd_ = -1;
  const std::string path_;
};

class GzipSink : public TextSink {
 public:
  explicit GzipSink(std::unique_ptr<TextSink> file) : file_(std::move(file)), level_(ISAL_DEF_LVL1_DEFAULT) {
    begin();
  }

  Status start_over() override {
    begin();
    return file_->start_over();
  }

  Status write(std::string_view text) override {
    constexpr size_t kMost = 1u << 30;
    while (!text.empty()) {
      const std::string_view part = text.substr(0, kMost);
      text.remove_prefix(part.size());
      SKYLINE_RETURN_IF_ERROR(deflate(part));
    }
    return Done{};
  }

  Status finish() override {
    stream_.end_of_stream = 1;
    SKYLINE_RETURN_IF_ERROR(deflate({}));
    return file_->finish();
  }

 private:
  void begin() {
    isal_deflate_init(&stream_);
    stream_.gzip_flag = IGZIP_GZIP;
    stream_.level = 1;
    stream_.level_buf = level_.data();
    stream_.level_buf_size = static_cast<uint32_t>(level_.size());
  }

  Status deflate(std::string_view text) {
    // ISA-L reads through a pointer to mutable bytes, but only reads.
    stream_.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
    stream_.avail_in = static_cast<uint32_t>(text.size());
    do {
      stream_.next_out = reinterpret_cast<uint8_t*>(packed_);
      stream_.avail_out = sizeof packed_;
      CHECK(isal_deflate(&stream_) == COMP_OK);
      SKYLINE_RETURN_IF_ERROR(file_->write({packed_, sizeof packed_ - stream_.avail_out}));
    } while (stream_.avail_out == 0 || stream_.avail_in > 0);
    return Done{};
  }

  std::unique_ptr<TextSink> file_;
  std::vector<uint8_t> level_;
  isal_zstream stream_;
  char packed_[128 * 1024];
};

}  // namespace

Result<std::unique_ptr<TextSink>> plain_sink(const std::string& path) {
  auto sink = std::make_unique<PlainSink>(path);
  SKYLINE_RETURN_IF_ERROR(sink->create());
  return std::unique_ptr<TextSink>(std::move(sink));
}

Result<std::unique_ptr<TextSink>> gzip_sink(const std::string& path) {
  SKYLINE_TRY(std::unique_ptr<TextSink> file, plain_sink(path));
  return std::unique_ptr<TextSink>(std::make_unique<GzipSink>(std::move(file)));
}

}  // namespace skyline::ingest
