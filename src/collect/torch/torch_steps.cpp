#include "collect/torch/known_torch.h"

#if SKYLINE_KNOWS_TORCH_STEPS

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <bit>

#include "collect/torch/import_table.h"
#include "collect/torch/torch_steps.h"

namespace skyline::collect {
namespace {

// In the order of TorchSteps. They carry the types of all arguments: in a torch that has others they are not
// found.
constexpr std::array kSymbols = {
    "_ZN2at14RecordFunctionD1Ev",
    "_ZN2at14RecordFunction6beforeESt7variantIJSt17basic_string_viewIcSt11char_traitsIcEESt17reference_"
    "wrapperI"
    "KN3c1014FunctionSchemaEEEEl",
    "_ZN3c1010Dispatcher17runRecordFunctionERN2at14RecordFunctionESt17reference_wrapperIKNS_"
    "14FunctionSchemaEE"
    "NS_11DispatchKeyENS_14DispatchKeySetE",
    "_ZN3c1010Dispatcher17runRecordFunctionERN2at14RecordFunctionESt17reference_wrapperIKNS_"
    "14FunctionSchemaEE"
    "NS_11DispatchKeyENS_14DispatchKeySetENS_8ArrayRefIKNS_6IValueEEE",
    "_ZN2at14RecordFunctionC1EONS_13StepCallbacksE",
    "_ZN2at27getStepCallbacksUnlessEmptyENS_11RecordScopeE",
    "_ZN2at14RecordFunctionC1ENS_11RecordScopeE",
    "_ZN2at24set_record_function_tls_ERKNS_17RecordFunctionTLSE",
    "_ZN2at17addGlobalCallbackENS_22RecordFunctionCallbackE",
    "_ZN2at16reenableCallbackEm",
    "_ZN3c1010Dispatcher38sequenceNumberForRunningRecordFunctionENS_11DispatchKeyENS_14DispatchKeySetE",
};
constexpr const char* kLibraries[] = {"/libtorch_cpu.so", "/libtorch_python.so"};

using Functions = std::array<void*, kSymbols.size()>;
static_assert(sizeof(Functions) == sizeof(TorchSteps));

Functions find_functions() {
  Functions functions = {};
  void* const library = dlopen("libtorch_cpu.so", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return functions;
  std::ranges::transform(kSymbols, functions.begin(), [&](const char* name) { return dlsym(library, name); });
  dlclose(library);  // it stays: we are linked to it
  return functions;
}

// The entries that lead to us or led to us, in the order in which they are changed.
struct Changed {
  size_t step;
  Import* entry;
};
std::vector<Changed>& changed() {
  static auto* const all = new std::vector<Changed>;
  return *all;
}

// Who else has changed an entry meanwhile keeps it.
void change(const Changed& entry, const Functions& from, const Functions& to) {
  void* expected = from[entry.step];
  entry.entry->compare_exchange_strong(expected, to[entry.step], std::memory_order_acq_rel);
}

// A guard that one step has made is taken apart by another, so a library gets all of these or none.
bool find_entries(const char* library, const Functions& torchs, const Functions& ours) {
  const std::vector<FoundImport> imports = find_imports(library, torchs);
  for (size_t i = 0; i < TorchSteps::kOfGuards; ++i) {
    const auto leads_there = [i](const FoundImport& import) { return import.function == i; };
    const auto is_stuck = [i](const FoundImport& import) {
      return import.function == i && import.entry == nullptr;
    };
    if (std::ranges::none_of(imports, leads_there) || std::ranges::any_of(imports, is_stuck)) return false;
  }
  for (size_t i = 0; i < ours.size(); ++i) {
    for (const FoundImport& import : imports) {
      if (import.function == i && import.entry != nullptr && ours[i] != nullptr)
        changed().push_back({i, import.entry});
    }
  }
  return true;
}

Functions our_steps = {};

}  // namespace

TorchSteps torch_steps = {};

bool replace_torch_steps(const TorchSteps& replacements) {
  static const bool is_known = [&] {
    const Functions torchs = find_functions();
    if (std::ranges::find(torchs, nullptr) != torchs.end()) return false;
    torch_steps = std::bit_cast<TorchSteps>(torchs);
    our_steps = std::bit_cast<Functions>(replacements);
    bool any = false;
    for (const char* library : kLibraries) any = find_entries(library, torchs, our_steps) || any;
    std::ranges::stable_sort(changed(), {}, &Changed::step);
    return any;
  }();
  if (!is_known) return false;
  for (const Changed& entry : changed()) change(entry, std::bit_cast<Functions>(torch_steps), our_steps);
  return true;
}

// Those that make new guards go first.
void restore_torch_steps(size_t first) {
  for (auto entry = changed().rbegin(); entry != changed().rend() && entry->step >= first; ++entry) {
    change(*entry, our_steps, std::bit_cast<Functions>(torch_steps));
  }
}

}  // namespace skyline::collect

#endif
