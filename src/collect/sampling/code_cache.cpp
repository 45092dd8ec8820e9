#include "collect/sampling/code_cache.h"

#include "base/utf8.h"
#include "collect/sampling/line_table.h"

namespace skyline::collect {

#if !defined(Py_GIL_DISABLED) && PY_VERSION_HEX >= 0x030b0000 && PY_VERSION_HEX < 0x030f0000

namespace {

constexpr size_t kMostCodes = 32 * 1024;
constexpr Py_ssize_t kMostTextBytes = 4096;
constexpr Py_ssize_t kMostTableBytes = 1 << 20;
constexpr Py_ssize_t kMostUnits = 1 << 24;

bool is_code(const PyCodeObject& code) {
  const auto& object = reinterpret_cast<const PyObject&>(code);
  const Py_ssize_t units = reinterpret_cast<const PyVarObject&>(code).ob_size;
  return object.ob_type == &PyCode_Type && has_living_count(object) && units > 0 && units < kMostUnits &&
         code.co_stacksize >= 0 && code.co_nlocalsplus >= 0 && code.co_filename != nullptr &&
         code.co_qualname != nullptr && code.co_linetable != nullptr;
}

// Characters of one size, as UTF-8.
template <typename Unit>
void append_units(const char* bytes, size_t count, std::string& to) {
  for (size_t i = 0; i < count; ++i) {
    Unit unit;
    __builtin_memcpy(&unit, bytes + i * sizeof unit, sizeof unit);
    const auto point = static_cast<uint32_t>(unit);
    const bool is_valid = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    skyline::append_utf8(to, is_valid ? point : 0xfffd);
  }
}

}  // namespace

uint32_t CodeCache::frame_at(uintptr_t address, const CodeCopy& copy, uintptr_t instruction) {
  const PyCodeObject& code = copy.get();
  if (!is_code(code)) return SampleTree::kNone;
  const Look look{address_of(code.co_filename), address_of(code.co_qualname), address_of(code.co_linetable),
                  reinterpret_cast<const PyVarObject&>(code).ob_size, code.co_firstlineno};
  // One before the first: the function has not begun.
  const auto offset = static_cast<int64_t>(instruction - (address + kCodeBytes));
  if (offset < -2 || offset >= 2 * look.units) return SampleTree::kNone;
  auto found = known_.find(address);
  if (found == known_.end() || found->second.look != look) {
    Known fresh{look, 0, 0, {}, {}};
    if (!copy_names(address, look, fresh)) return SampleTree::kNone;
    if (known_.size() >= kMostCodes) known_.clear();  // a program that makes code without end
    found = known_.insert_or_assign(address, std::move(fresh)).first;
  }
  Known& known = found->second;
  const auto [frame, is_new] = known.frames.try_emplace(static_cast<int32_t>(offset), SampleTree::kNone);
  if (is_new) {
    int32_t line = line_at(known.line_table, look.first_line, static_cast<int32_t>(offset));
    if (line == 0) line = look.first_line;
    frame->second = tree_.frame({known.file, known.function, line});
  }
  return frame->second;
}

bool CodeCache::copy_names(uintptr_t address, const Look& look, Known& to) const {
  std::string file, function;
  if (!copy_text(look.file, file) || !copy_text(look.function, function) ||
      !copy_bytes(look.lines, to.line_table)) {
    return false;
  }
  CodeCopy again;
  if (!memory_.read(address, again.bytes, kCodeBytes)) return false;
  const PyCodeObject& code = again.get();
  const bool is_same = is_code(code) && address_of(code.co_filename) == look.file &&
                       address_of(code.co_qualname) == look.function &&
                       address_of(code.co_linetable) == look.lines;
  if (!is_same) return false;
  to.file = tree_.text(file);
  to.function = tree_.text(function);
  return true;
}

bool CodeCache::copy_text(uintptr_t from, std::string& to) const {
  PyCompactUnicodeObject head;
  if (!memory_.read(from, &head, sizeof(PyASCIIObject))) return false;
  const PyASCIIObject& text = head._base;
  const Py_ssize_t length = text.length;
  const unsigned kind = text.state.kind;
  const bool is_text = reinterpret_cast<const PyObject&>(text).ob_type == &PyUnicode_Type &&
                       text.state.compact != 0 && length >= 0 && length <= kMostTextBytes &&
                       (kind == 1 || kind == 2 || kind == 4);
  if (!is_text) return false;
  const size_t bytes = static_cast<size_t>(length) * kind;
  std::string raw(bytes, '\0');
  const uintptr_t data =
      from + (text.state.ascii != 0 ? sizeof(PyASCIIObject) : sizeof(PyCompactUnicodeObject));
  if (bytes > 0 && !memory_.read(data, raw.data(), bytes)) return false;
  to.clear();
  if (kind == 1) append_units<uint8_t>(raw.data(), static_cast<size_t>(length), to);
  if (kind == 2) append_units<uint16_t>(raw.data(), static_cast<size_t>(length), to);
  if (kind == 4) append_units<uint32_t>(raw.data(), static_cast<size_t>(length), to);
  return true;
}

bool CodeCache::copy_bytes(uintptr_t from, std::string& to) const {
  PyVarObject head;
  if (!memory_.read(from, head)) return false;
  const bool is_bytes = reinterpret_cast<const PyObject&>(head).ob_type == &PyBytes_Type &&
                        head.ob_size >= 0 && head.ob_size <= kMostTableBytes;
  if (!is_bytes) return false;
  to.resize(static_cast<size_t>(head.ob_size));
  return to.empty() || memory_.read(from + offsetof(PyBytesObject, ob_sval), to.data(), to.size());
}

#else

uint32_t CodeCache::frame_at(uintptr_t, const CodeCopy&, uintptr_t) { return SampleTree::kNone; }

#endif

}  // namespace skyline::collect
