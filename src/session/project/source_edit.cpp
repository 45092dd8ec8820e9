#include "session/project/source_edit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/descriptor.h"
#include "base/sha256.h"
#include "session/project/source_text.h"

namespace skyline::session {
namespace {

// The cure is always the same: do by hand what could not be done.
Error refuse(const Edit& edit, const std::string& why) {
  return {"cannot change the batch size in " + edit.literal.path + ":" + std::to_string(edit.literal.line) +
          ": " + why + "; write " + edit.new_text + " there yourself"};
}

Error has_changed(const Edit& edit) {
  return {edit.literal.path +
          " has changed since it was profiled; save it and wait for new results, then try again"};
}

std::optional<std::string> read_all(int file) {
  std::string bytes;
  char buffer[64 * 1024];
  while (true) {
    const ssize_t size = ::read(file, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return {};
    if (size == 0) return bytes;
    bytes.append(buffer, static_cast<size_t>(size));
  }
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::write(file, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(size));
  }
  return true;
}

// A whole number as Python writes it: 32, 1_024, 0x20, 0o40, 0b100000.
std::optional<int64_t> python_integer(std::string_view text) {
  int64_t base = 10;
  if (text.size() > 2 && text[0] == '0') {
    const char kind = static_cast<char>(text[1] | 0x20);
    base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
    if (base != 10) text.remove_prefix(2);
  }
  int64_t value = 0;
  bool has_digit = false;
  for (const char c : text) {
    if (c == '_') continue;
    const char lower = static_cast<char>(c | 0x20);
    const int64_t digit = c >= '0' && c <= '9'           ? c - '0'
                          : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10
                                                         : 99;
    if (digit >= base || value > (std::numeric_limits<int64_t>::max() - digit) / base) return {};
    value = value * base + digit;
    has_digit = true;
  }
  return has_digit ? std::optional(value) : std::nullopt;
}

bool is_same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

// A file beside another, hidden from watchers, that is removed unless it takes the other's place.
class Replacement {
 public:
  explicit Replacement(const std::string& target) : target_(target) {
    const size_t name = target.rfind('/') + 1;
    temporary_ = target.substr(0, name) + "." + target.substr(name) + ".skyline-XXXXXX";
    file_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
    if (file_ < 0) temporary_.clear();
  }
  ~Replacement() {
    if (file_ >= 0) ::close(file_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  bool is_open() const { return file_ >= 0; }

  bool write(std::string_view bytes, const struct stat& like) {
    // The owner first: changing it takes away some bits of the mode. Only root may give files away.
    static_cast<void>(::fchown(file_, like.st_uid, like.st_gid) == 0 ||
                      ::fchown(file_, static_cast<uid_t>(-1), like.st_gid) == 0);
    return write_all(file_, bytes) && ::fchmod(file_, like.st_mode & 07777) == 0 && ::fsync(file_) == 0;
  }

  enum class Outcome { kDone, kFailed, kOtherFile };

  // In place of the original, unless another file stands there by now. The two are exchanged in one step, so
  // that a save in the last moment is seen, and put back.
  Outcome take_place(const struct stat& original) {
    struct stat there;
    const ino_t ours = inode_of(temporary_);
    if (exchange() == 0) {
      if (::lstat(temporary_.c_str(), &there) != 0 || !is_same_file(original, there)) {
        return put_back(ours) ? Outcome::kOtherFile : Outcome::kFailed;
      }
    } else {  // not every file system can
      if (::stat(target_.c_str(), &there) != 0 || !is_same_file(original, there)) return Outcome::kOtherFile;
      if (::rename(temporary_.c_str(), target_.c_str()) != 0) return Outcome::kFailed;
      temporary_.clear();
    }
    // So that the name survives a power cut, too; some file systems cannot, and the file is whole either
    // way.
    const Descriptor folder(::open(target_.substr(0, target_.rfind('/') + 1).c_str(), O_RDONLY | O_CLOEXEC));
    if (folder.get() >= 0) ::fsync(folder.get());
    return Outcome::kDone;
  }

 private:
  // Exchanges until what comes out is what was put in before: then nobody has saved between, and the newest
  // save is the one that stays.
  bool put_back(ino_t last_put) const {
    for (int round = 0; round < 100; ++round) {
      const ino_t now_put = inode_of(temporary_);
      if (exchange() != 0) return false;
      if (inode_of(temporary_) == last_put) return true;
      last_put = now_put;
    }
    return false;
  }

  static ino_t inode_of(const std::string& path) {
    struct stat status;
    return ::lstat(path.c_str(), &status) == 0 ? status.st_ino : 0;
  }

  int exchange() const {
    return ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE);
  }

  std::string target_, temporary_;
  int file_ = -1;
};

struct Original {
  std::string bytes;
  struct stat status;
};

Result<Original> read_original(const Edit& edit, const char* path) {
  if (const auto why = why_left_out(path)) return refuse(edit, "it is " + *why);
  const Descriptor file(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  Original original;
  if (file.get() < 0 || ::fstat(file.get(), &original.status) != 0) return refuse(edit, std::strerror(errno));
  if (!S_ISREG(original.status.st_mode)) return refuse(edit, "it is no plain file");
  // A rename would not ask.
  if (::faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0) return refuse(edit, "the file is read-only");
  std::optional<std::string> bytes = read_all(file.get());
  if (!bytes) return refuse(edit, std::strerror(errno));
  if (sha256(*bytes) != edit.literal.file_hash) return has_changed(edit);
  original.bytes = std::move(*bytes);
  return original;
}

Result<std::string> literal_in(const Edit& edit, const std::string& bytes) {
  const BatchLiteral& literal = edit.literal;
  const auto size = static_cast<int64_t>(bytes.size());
  if (literal.begin_byte < 0 || literal.begin_byte >= literal.end_byte || literal.end_byte > size) {
    return refuse(edit, "the place lies outside the file");
  }
  const auto begin = static_cast<size_t>(literal.begin_byte);
  std::string text = bytes.substr(begin, static_cast<size_t>(literal.end_byte) - begin);
  if (python_integer(text) != literal.value) {
    return refuse(edit, "what stands there is not " + std::to_string(literal.value));
  }
  return text;
}

Result<std::string> replace_literal(const Edit& edit, std::string bytes) {
  SKYLINE_TRY(const std::string old_text, literal_in(edit, bytes));
  return bytes.replace(static_cast<size_t>(edit.literal.begin_byte), old_text.size(), edit.new_text);
}

using CPath = std::unique_ptr<char, decltype(&std::free)>;

CPath real_path(const Edit& edit) { return {::realpath(edit.literal.path.c_str(), nullptr), &std::free}; }

}  // namespace

Edit make_edit(const BatchLiteral& literal, int64_t batch_size) {
  CHECK(batch_size >= 1);
  return {literal, std::to_string(batch_size)};
}

Result<std::string> replaced_text(const Edit& edit) {
  const CPath target = real_path(edit);
  if (!target) return refuse(edit, std::strerror(errno));
  SKYLINE_TRY(const Original original, read_original(edit, target.get()));
  return literal_in(edit, original.bytes);
}

Status apply(const Edit& edit) {
  const CPath target = real_path(edit);
  if (!target) return refuse(edit, std::strerror(errno));
  SKYLINE_TRY(const Original original, read_original(edit, target.get()));
  SKYLINE_TRY(const std::string edited, replace_literal(edit, original.bytes));

  Replacement replacement(target.get());
  if (!replacement.is_open()) {
    return refuse(edit, std::string("no file can be made beside it: ") + std::strerror(errno));
  }
  if (!replacement.write(edited, original.status)) return refuse(edit, std::strerror(errno));
  switch (replacement.take_place(original.status)) {
    case Replacement::Outcome::kDone:
      return Done{};
    case Replacement::Outcome::kOtherFile:
      return has_changed(edit);
    case Replacement::Outcome::kFailed:
      break;
  }
  return refuse(edit, std::strerror(errno));
}

}  // namespace skyline::session
