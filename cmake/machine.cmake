# Which processors the build is for.
#
# x86-64-v2 adds SSE4.2 and POPCNT to the 2003 baseline. Every x86 server since 2009 has them, so a binary
# built on one node of a cluster runs on all of them; -march=native would not.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  add_compile_options(-march=x86-64-v2)
endif()
