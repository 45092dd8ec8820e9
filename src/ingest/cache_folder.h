// The folder with copies of traces: names, age and size. Whatever goes wrong here is not worth a word to
// the user, who only wants a trace.
//
// Several processes may use it at once: entries appear by rename and vanish by unlink, and who has one
// open keeps it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace skyline::ingest {

class CacheFolder {
 public:
  // `engine` tells apart programs whose entries differ.
  CacheFolder(std::string folder, std::string_view engine);

  // The hash of a source that was seen before in this very state (RandomBytes::identity); empty: not known.
  // Saves reading it, which for a gigabyte on a slow disk takes longer than anything else here.
  std::string known_hash(const std::string& identity) const;
  void remember_hash(const std::string& identity, const std::string& hash) const;

  // Whether an entry for a source of this size could exist at all; saves reading the source.
  bool may_hold(uint64_t source_bytes) const;

  // Where the entry for these contents is or will be.
  std::string entry(uint64_t source_bytes, const std::string& hash) const;

  // An entry of ours, and nobody else's: a file that the user owns.
  bool is_there(const std::string& entry) const;

  // Makes the folder, for the user alone. False if that is impossible.
  bool prepare() const;

  void mark_used(const std::string& entry) const;
  void remove(const std::string& entry) const;

  // Removes other programs' entries for the same source, what crashed writers left behind, and the longest
  // unused entries until no more than `max_bytes` are left.
  void tidy(const std::string& newest, uint64_t max_bytes) const;

 private:
  const std::string folder_;
  const std::string suffix_;
};

}  // namespace skyline::ingest
