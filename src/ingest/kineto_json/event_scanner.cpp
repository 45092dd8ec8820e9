// One pass over the event's text. Kineto writes keys in a stable order with few blanks, so every
// branch below is nearly always taken the same way; but nothing depends on that order, and an event
// in any other layout is read by the same code.
#include "ingest/kineto_json/event_scanner.h"

#include <cstddef>
#include <initializer_list>

#include "ingest/kineto_json/decimal.h"
#include "ingest/kineto_json/scan.h"
#include "ingest/kineto_json/text_decode.h"
#include "trace/tables.h"

namespace skyline::ingest::kineto_json {
namespace {

// One bit for each length of a key.
constexpr uint32_t lengths(std::initializer_list<int> all) {
  uint32_t bits = 0;
  for (const int length : all) bits |= uint32_t{1} << length;
  return bits;
}
constexpr uint32_t kRareLengths = lengths({4, 5, 8, 9, 11, 12, 13, 14, 15, 20, 23, 25});

class Scanner {
 public:
  Scanner(const char* end, RawEvent& event) : end_(end), event_(event) {}

  ScanResult run(const char* p) {
    const bool ok =
        object(p, [this](std::string_view key, const char*& at) { return event_member(key, at); });
    if (ok) return {ScanStatus::kOk, p};
    return {p >= end_ || out_of_text_ ? ScanStatus::kIncomplete : ScanStatus::kMalformed, p};
  }

 private:
  // Reads `{ "key": value, … }`, leaving each value to `member`, which moves p behind it.
  template <typename Member>
  bool object(const char*& p, Member member) {
    p = skip_space(p + 1);
    if (*p == '}' && p < end_) {
      ++p;
      return true;
    }
    while (*p == '"' && p < end_) {
      const char* key = p + 1;
      const char* key_end = find_quote_or_backslash(key, end_);
      std::string_view key_text(key, static_cast<size_t>(key_end - key));
      if (key_end >= end_ || *key_end == '\\') [[unlikely]] {
        key_end = string_end(key);
        if (key_end == nullptr) return false;
        decode_string({key, static_cast<size_t>(key_end - key)}, decoded_key_);
        key_text = decoded_key_;
      }
      p = skip_space(key_end + 1);
      if (*p != ':' || p >= end_) return false;
      p = skip_space(p + 1);
      key_begin_ = key - 1;
      if (p >= end_ || !member(key_text, p)) return false;
      p = skip_space(p);
      if (p >= end_) return false;
      if (*p == ',') {
        p = skip_space(p + 1);
      } else if (*p == '}') {
        ++p;
        return true;
      } else {
        return false;
      }
    }
    return false;
  }

  bool event_member(std::string_view key, const char*& p) {
    switch (key.size()) {
      case 2:
        if (key == "ph") return phase(p);
        if (key == "ts") return time(p, once(event_.time_ns), event_.time);
        if (key == "id") return flow_id(p);
        break;
      case 3:
        if (key == "cat") return text(p, once(event_.category));
        if (key == "pid") return id_text(p, once(event_.process));
        if (key == "tid") return id_text(p, once(event_.thread));
        if (key == "dur") return time(p, once(event_.duration_ns), event_.duration);
        break;
      case 4:
        if (key == "name") return text(p, once(event_.name));
        if (key == "args") return args(p);
        break;
      default:
        break;
    }
    return skip(p);
  }

  bool args(const char*& p) {
    if (!event_.args.text.empty()) event_.args = RawArgs();  // the key came twice: the last counts
    if (*p != '{') return skip(p);
    const char* const begin = p;
    if (!object(p, [this](std::string_view key, const char*& at) { return args_member(key, at); }))
      return false;
    event_.args.text = {begin, static_cast<size_t>(p - begin)};
    return true;
  }

  // By length first: one comparison decides, and most keys are none of ours.
  bool args_member(std::string_view key, const char*& p) {
    RawArgs& args = event_.args;
    switch (key.size()) {
      case 4:
        if (key == "name") return text(p, once(args.name));
        if (key == "Addr") return unsigned_number(p, once(args.address));
        break;
      case 5:
        if (key == "bytes") return number(p, once(args.copy_bytes));
        if (key == "Bytes") return number(p, once(args.bytes), kUnknownBytes);
        break;
      case 6:
        if (key == "device") return number(p, once(args.device));
        if (key == "stream") return number(p, once(args.stream));
        if (key == "labels") return text(p, once(args.labels));
        break;
      case 9:
        if (key == "Python id") return number(p, once(args.python_id));
        if (key == "Device Id") return number(p, once(args.device_id));
        break;
      case 10:
        if (key == "Input Dims" || key == "Input dims") return input(p, once(event_.inputs.dims));
        if (key == "Input type") return input(p, once(event_.inputs.types));
        break;
      case 11:
        if (key == "External id" || key == "external id") return unsigned_number(p, once(args.external_id));
        if (key == "correlation") return unsigned_number(p, once(args.correlation), kNoCorrelation);
        if (key == "Device Type") return number(p, once(args.device_type));
        break;
      case 13:
        if (key == "Fwd thread id") return unsigned_number(p, once(args.fwd_thread));
        break;
      case 14:
        if (key == "Total Reserved") return number(p, once(args.total_reserved), kUnknownBytes);
        break;
      case 15:
        if (key == "Sequence number") return number(p, once(args.sequence));
        if (key == "Total Allocated") return number(p, once(args.total_allocated), kUnknownBytes);
        break;
      case 16:
        if (key == "Python parent id") return number(p, once(args.python_parent_id));
        if (key == "Python module id") return number(p, once(args.python_module_id));
        break;
      default:
        break;
    }
    const bool may_be_rare = key.size() < 32 && (kRareLengths >> key.size() & 1) != 0;
    return may_be_rare ? rare_member(key, p) : skip(p);
  }

  // Apart, as g++ stops inlining in a function that grows too large, and these are never numbers to be read
  // here.
  [[gnu::noinline]] bool rare_member(std::string_view key, const char*& p) {
    RawArgs& args = event_.args;
    switch (key.size()) {
      case 4:
        if (key == "grid") return stretch(p, args.kernel_shape);
        break;
      case 5:
        if (key == "block") return stretch(p, args.kernel_shape);
        break;
      case 8:
        if (key == "graph id") return graph_number(p, args.graph_id);
        break;
      case 9:
        if (key == "occupancy") return stretch(p, args.kernel_shape);
        break;
      case 11:
        if (key == "kernel_file" || key == "kernel_hash") args.has_compiled_call = true;
        break;
      case 12:
        if (key == "warps per SM") return stretch(p, args.kernel_shape);
        break;
      case 13:
        if (key == "Input Strides") return input(p, event_.inputs.strides);
        if (key == "shared memory" || key == "blocks per SM") return stretch(p, args.kernel_shape);
        if (key == "graph node id") return graph_number(p, args.graph_node);
        break;
      case 14:
        if (key == "kernel_backend") args.has_compiled_call = true;
        break;
      case 15:
        if (key == "Concrete Inputs") return input(p, event_.inputs.concrete);
        if (key == "Collective name") args.has_collective = true;
        break;
      case 20:
        if (key == "registers per thread") return stretch(p, args.kernel_shape);
        break;
      case 23:
        if (key == "theoretical occupancy %") return stretch(p, args.kernel_shape);
        break;
      case 25:
        if (key == "est. achieved occupancy %") return stretch(p, args.kernel_shape);
        break;
      default:
        break;
    }
    return skip(p);
  }

  // Notes that a member of the event is set, and counts when it was set before.
  template <typename T>
  T& once(T& member) {
    static_assert(sizeof(RawEvent) / 8 <= 64);
    const auto place = reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(&event_);
    const uint64_t bit = uint64_t{1} << (place / 8);
    event_.repeated_keys += (set_ & bit) != 0;
    set_ |= bit;
    return member;
  }

  // The closing quote; nullptr when the text ends first.
  const char* string_end(const char* p) {
    p = find_string_end(p, end_);
    if (p < end_) return p;
    out_of_text_ = true;
    return nullptr;
  }

  bool skip(const char*& p) {
    const char* behind = skip_value(p, end_);
    if (behind == nullptr) {
      out_of_text_ = true;
      return false;
    }
    if (behind == p) return false;  // no value at all
    p = behind;
    return true;
  }

  bool json(const char*& p, std::string_view& value) {
    const char* const begin = p;
    if (!skip(p)) return false;
    value = {begin, static_cast<size_t>(p - begin)};
    return true;
  }

  // Members that stand together, or nearly, and are looked at together: the text from the first one's key to
  // the last one's value. Where it was seen before, nothing in it needs to be read again.
  bool stretch(const char*& p, std::string_view& members) {
    const char* const begin = members.empty() ? key_begin_ : members.data();
    if (!skip(p)) return false;
    members = {begin, static_cast<size_t>(p - begin)};
    return true;
  }

  bool input(const char*& p, std::string_view& value) {
    const char* const begin = p;
    if (event_.args.inputs.empty()) event_.inputs = RawInputs();
    if (!stretch(p, event_.args.inputs)) return false;
    value = {begin, static_cast<size_t>(p - begin)};
    return true;
  }

  // What is not a plain number stays unknown.
  bool graph_number(const char*& p, uint64_t& value) {
    const Digits digits = read_digits(p);
    const char* const begin = p;
    if (!skip(p)) return false;
    if (digits.count < 19 && p == begin + digits.count) value = digits.value;
    return true;
  }

  // A string's inside; other values count as missing.
  bool text(const char*& p, std::string_view& value) {
    if (*p != '"') {
      value = {};
      return skip(p);
    }
    const char* close = string_end(p + 1);
    if (close == nullptr) return false;
    value = {p + 1, static_cast<size_t>(close - p - 1)};
    p = close + 1;
    return true;
  }

  // pid and tid: numbers and strings are the same to us.
  bool id_text(const char*& p, std::string_view& value) {
    if (*p == '"') return text(p, value);
    return json(p, value);
  }

  bool phase(const char*& p) {
    std::string_view value;
    if (!text(p, value)) return false;
    once(event_.phase) = value.size() == 1 ? value[0] : odd_phase(value);
    return true;
  }

  static char odd_phase(std::string_view value) {
    std::string decoded;
    decode_string(value, decoded);
    return decoded.size() == 1 ? decoded[0] : '\0';
  }

  bool flow_id(const char*& p) {
    event_.has_id = true;
    return unsigned_number(p, event_.id);
  }

  bool time(const char*& p, int64_t& ns, Seen& seen) {
    // The usual forms: digits, or digits with three decimals.
    const Digits whole = read_digits(p);
    if (whole.count > 0 && whole.count <= 16 && whole.value < (uint64_t{1} << 51)) {
      const char* q = p + whole.count;
      if (*q == ',' || *q == '}' || is_space(*q)) {
        p = q;
        seen = Seen::kGood;
        ns = static_cast<int64_t>(whole.value * 1000);
        return p < end_ || ran_out();
      }
    }
    if (whole.count > 0 && whole.count <= 16 && p[whole.count] == '.') {
      const char* q = p + whole.count + 1;
      const auto a = static_cast<uint8_t>(q[0] - '0'), b = static_cast<uint8_t>(q[1] - '0'),
                 c = static_cast<uint8_t>(q[2] - '0');
      if (whole.value < (uint64_t{1} << 51) && a <= 9 && b <= 9 && c <= 9 &&
          (q[3] == ',' || q[3] == '}' || is_space(q[3]))) {
        p = q + 3;
        seen = Seen::kGood;
        ns = static_cast<int64_t>(whole.value * 1000 + a * 100u + b * 10u + c);
        return p < end_ || ran_out();
      }
    }
    return odd_time(p, ns, seen);
  }

  bool odd_time(const char*& p, int64_t& ns, Seen& seen) {
    std::string_view token;
    if (*p == '"') ++event_.quoted_numbers;
    if (!number_text(p, token)) return false;
    const std::optional<TimeNs> parsed = parse_time_ns(token);
    seen = parsed ? Seen::kGood : Seen::kBad;
    if (!parsed) return true;
    ns = parsed->ns;
    event_.inexact_time |= !parsed->exact;
    return true;
  }

  // `missing` is what the value becomes when it cannot be used. Inlined at every call: most args are such
  // numbers.
  [[gnu::always_inline]] bool unsigned_number(const char*& p, uint64_t& value, uint64_t missing = 0) {
    const Digits digits = read_digits(p);
    const char* q = p + digits.count;
    if (digits.count > 0 && digits.count < 19 && (*q == ',' || *q == '}' || is_space(*q))) {
      value = digits.value;
      p = q;
      return p < end_ || ran_out();
    }
    value = missing;
    return odd_unsigned(p, value);
  }

  [[gnu::noinline]] bool odd_unsigned(const char*& p, uint64_t& value) {
    return odd_number(p, [&](const Decimal& decimal) {
      // Some writers print ids as signed numbers: -1 is the same id as 2^64 - 1.
      const std::optional<uint64_t> unsigned_value = decimal.as_uint64();
      const std::optional<int64_t> signed_value = decimal.as_int64();
      if (unsigned_value) value = *unsigned_value;
      if (!unsigned_value && signed_value) value = static_cast<uint64_t>(*signed_value);
      return unsigned_value || signed_value;
    });
  }

  [[gnu::always_inline]] bool number(const char*& p, int64_t& value, int64_t missing = -1) {
    const Digits digits = read_digits(p);
    const char* q = p + digits.count;
    if (digits.count > 0 && digits.count < 19 && (*q == ',' || *q == '}' || is_space(*q))) {
      value = static_cast<int64_t>(digits.value);
      p = q;
      return p < end_ || ran_out();
    }
    value = missing;
    return odd_signed(p, value);
  }

  [[gnu::noinline]] bool odd_signed(const char*& p, int64_t& value) {
    return odd_number(p, [&](const Decimal& decimal) {
      const std::optional<int64_t> signed_value = decimal.as_int64();
      const std::optional<uint64_t> unsigned_value = decimal.as_uint64();
      if (signed_value) value = *signed_value;
      if (!signed_value && unsigned_value) value = static_cast<int64_t>(*unsigned_value);
      return signed_value || unsigned_value;
    });
  }

  template <typename Store>
  bool odd_number(const char*& p, Store store) {
    std::string_view token;
    if (!number_text(p, token)) return false;
    if (token == "null") return true;
    // ROCm writes streams as pointers.
    const std::optional<Decimal> decimal =
        token.starts_with("0x") ? parse_hex(token) : parse_decimal(token, 0);
    if (!decimal || !store(*decimal)) ++event_.bad_numbers;
    return true;
  }

  // The text of a value that should be a number: bare, or in quotes, as ROCm writes sizes.
  bool number_text(const char*& p, std::string_view& token) {
    if (*p == '"') return text(p, token);
    const char first = *p;
    if (!json(p, token)) return false;
    const bool is_number = first == '-' || (first >= '0' && first <= '9');
    if (!is_number && first != '[' && first != '{' && token != "null" && token != "true" &&
        token != "false") {
      ++event_.bare_tokens;
    }
    return true;
  }

  bool ran_out() {
    out_of_text_ = true;
    return false;
  }

  const char* const end_;
  RawEvent& event_;
  uint64_t set_ = 0;  // the event's members that were read, one bit per eight bytes
  bool out_of_text_ = false;
  const char* key_begin_ = nullptr;  // the quote before the key whose value is read
  std::string decoded_key_;
};

// The size is hidden from the compiler, which would otherwise emit `rep movs`: for 300 bytes that
// takes longer to start than the library's copy takes in all.
void reset(RawEvent& event) {
  static const RawEvent kEmpty;
  size_t size = offsetof(RawEvent, inputs);
  asm volatile("" : "+r"(size));
  std::memcpy(&event, &kEmpty, size);
}

}  // namespace

ScanResult scan_event(const char* p, const char* end, RawEvent& event) {
  reset(event);
  return Scanner(end, event).run(p);
}

}  // namespace skyline::ingest::kineto_json
