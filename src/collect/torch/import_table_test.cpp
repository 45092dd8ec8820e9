#include "collect/torch/import_table.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <string_view>
#include <vector>

namespace skyline::collect {
namespace {

using Malloc = void*(size_t);

Malloc* real_malloc = nullptr;
int calls = 0;

void* count_call(size_t bytes) {
  ++calls;
  return real_malloc(bytes);
}

// libstdc++ calls malloc through its table of imports. (Not for `new` where a sanitizer has taken its place.)
void make_it_allocate() { abi::__cxa_free_exception(abi::__cxa_allocate_exception(17)); }

std::vector<FoundImport> mallocs_of(std::string_view library) {
  make_it_allocate();  // entries may lead to the loader until they are used for the first time
  const std::array<void*, 2> functions = {reinterpret_cast<void*>(&calls), dlsym(RTLD_DEFAULT, "malloc")};
  return find_imports(library, functions);
}

TEST(ImportTable, WhoChangesAnEntryGetsTheCalls) {
  const std::vector<FoundImport> found = mallocs_of("/libstdc++.so.6");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].function, 1u);
  real_malloc = reinterpret_cast<Malloc*>(found[0].entry->load());
  EXPECT_EQ(found[0].entry->exchange(reinterpret_cast<void*>(count_call)), dlsym(RTLD_DEFAULT, "malloc"));
  make_it_allocate();
  EXPECT_EQ(calls, 1);
  found[0].entry->store(reinterpret_cast<void*>(real_malloc));
  make_it_allocate();
  EXPECT_EQ(calls, 1);
}

TEST(ImportTable, OfALibraryThatIsNotLoadedNothingIsFound) { EXPECT_TRUE(mallocs_of("/libnone.so").empty()); }

}  // namespace
}  // namespace skyline::collect
