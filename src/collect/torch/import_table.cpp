#include "collect/torch/import_table.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <utility>

namespace skyline::collect {
namespace {

#if defined(__x86_64__) && defined(__GLIBC__)
constexpr uint32_t kJumpSlot = R_X86_64_JUMP_SLOT, kGlobalData = R_X86_64_GLOB_DAT;
#elif defined(__aarch64__) && defined(__GLIBC__)
constexpr uint32_t kJumpSlot = R_AARCH64_JUMP_SLOT, kGlobalData = R_AARCH64_GLOB_DAT;
#else
constexpr uint32_t kJumpSlot = UINT32_MAX, kGlobalData = UINT32_MAX;
#endif

struct Search {
  std::string_view name;
  std::span<void* const> functions;
  std::vector<FoundImport> found;
};

// The loader has addresses as numbers.
template <typename T>
T* at_address(ElfW(Addr) address) {
  return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr)
}

const ElfW(Phdr) * segment(const dl_phdr_info& library, uint32_t type) {
  const std::span headers(library.dlpi_phdr, library.dlpi_phnum);
  const auto found = std::ranges::find(headers, type, &ElfW(Phdr)::p_type);
  return found == headers.end() ? nullptr : &*found;
}

// What a library's dynamic section says of its relocations; glibc has made addresses of what were offsets.
struct Relocations {
  std::span<const ElfW(Rela)> calls;  // through the table
  std::span<const ElfW(Rela)> data;   // among them the addresses of functions that are called in other ways
};

Relocations relocations_of(const dl_phdr_info& library) {
  const ElfW(Phdr)* const dynamic = segment(library, PT_DYNAMIC);
  if (dynamic == nullptr) return {};
  const ElfW(Rela)* calls = nullptr, *data = nullptr;
  size_t call_bytes = 0, data_bytes = 0, relative = 0;
  for (auto* entry = at_address<const ElfW(Dyn)>(library.dlpi_addr + dynamic->p_vaddr);
       entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_PLTREL && entry->d_un.d_val != DT_RELA) return {};
    if (entry->d_tag == DT_JMPREL) calls = at_address<const ElfW(Rela)>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_PLTRELSZ) call_bytes = entry->d_un.d_val;
    if (entry->d_tag == DT_RELA) data = at_address<const ElfW(Rela)>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_RELASZ) data_bytes = entry->d_un.d_val;
    if (entry->d_tag == DT_RELACOUNT) relative = entry->d_un.d_val;  // those come first and name nobody
  }
  Relocations all;
  if (calls != nullptr) all.calls = std::span(calls, call_bytes / sizeof *calls);
  if (data != nullptr) all.data = std::span(data, data_bytes / sizeof *data).subspan(relative);
  return all;
}

// What the loader has made read-only stays so.
bool is_read_only(const dl_phdr_info& library, size_t offset) {
  const ElfW(Phdr)* const sealed = segment(library, PT_GNU_RELRO);
  return sealed != nullptr && offset >= sealed->p_vaddr && offset < sealed->p_vaddr + sealed->p_memsz;
}

void look_at(const dl_phdr_info& library, const ElfW(Rela) & slot, Search& search) {
  const uint32_t type = slot.r_info & UINT32_MAX;
  if (type != kJumpSlot && type != kGlobalData) return;
  auto* const entry = at_address<Import>(library.dlpi_addr + slot.r_offset);
  const auto leads_to = std::ranges::find(search.functions, entry->load(std::memory_order_relaxed));
  if (leads_to == search.functions.end()) return;
  const bool can_be_changed = type == kJumpSlot && !is_read_only(library, slot.r_offset);
  search.found.push_back(
      {static_cast<size_t>(leads_to - search.functions.begin()), can_be_changed ? entry : nullptr});
}

// For dl_iterate_phdr: not 0 ends the search.
int look_into(dl_phdr_info* library, size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  if (!std::string_view(library->dlpi_name).ends_with(search.name)) return 0;
  const Relocations all = relocations_of(*library);
  for (const ElfW(Rela) & slot : all.calls) look_at(*library, slot, search);
  for (const ElfW(Rela) & slot : all.data) look_at(*library, slot, search);
  return 1;
}

}  // namespace

std::vector<FoundImport> find_imports(std::string_view name, std::span<void* const> functions) {
  Search search{name, functions, {}};
  dl_iterate_phdr(look_into, &search);
  return std::move(search.found);
}

}  // namespace skyline::collect
