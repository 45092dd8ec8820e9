# skyline_warnings(target): the one list of warnings, all of them errors.
# Third-party headers live in system folders and are exempt.
function(skyline_warnings target)
  if(SKYLINE_BUNDLED)  # zig's compiler judges otherwise, and only for tools/wheel
    target_compile_options(${target} PRIVATE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/= -w)
    return()
  endif()
  target_compile_options(${target} PRIVATE
    # Messages name files as the tree does, not where this machine keeps it.
    -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
    -Wall -Wextra -Wpedantic -Werror
    -Wshadow            # a shadowed name reads as the wrong variable
    -Wconversion        # time is int64 ns: no silent narrowing or rounding
    -Wnon-virtual-dtor
    -Wold-style-cast
    -Wimplicit-fallthrough)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${target} PRIVATE -Wno-sign-conversion)  # g++ leaves it out of -Wconversion for C++, too
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 reports these falsely in inlined std::string, std::vector and std::variant code under -O2 and sanitizers.
    target_compile_options(${target} PRIVATE
      -Wno-error=restrict -Wno-error=maybe-uninitialized -Wno-error=stringop-overflow
      -Wno-error=array-bounds -Wno-error=stringop-overread)
  endif()
endfunction()
