# SKYLINE_SANITIZE=address,undefined applies to every target: mixing instrumented and plain libraries
# gives false container-overflow reports.
if(SKYLINE_SANITIZE)
  set(flags -fsanitize=${SKYLINE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(SKYLINE_SANITIZE MATCHES undefined)
    # A third of the compile time. Null and dangling pointers are AddressSanitizer's, too.
    list(APPEND flags -fno-sanitize=null,alignment,vptr,object-size)
  endif()
  add_compile_options(${flags})
  add_link_options(${flags})
  if(SKYLINE_SANITIZE MATCHES thread)
    # ThreadSanitizer knows no fences. Asio has locks besides, and can do without.
    add_compile_definitions(BOOST_ASIO_DISABLE_FENCED_BLOCK)
  endif()
endif()

# libFuzzer wants coverage counters in the code under test; the fuzzer's own main() is linked per target.
if(SKYLINE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "SKYLINE_FUZZ needs clang, because libFuzzer is part of it: use cmake --preset fuzz")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# skyline_test_flags(target): tests need no optimiser and no check for undefined behaviour of their own, which would be
# most of what a sanitizer preset compiles.
function(skyline_test_flags target)
  if(SKYLINE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0 -fno-sanitize=undefined)
  endif()
endfunction()
