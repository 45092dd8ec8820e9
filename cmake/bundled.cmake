# The libraries of dependencies.cmake, linked statically from a folder that tools/wheel has filled: SKYLINE_BUNDLED has
# include/ with the headers of all of them, lib/ with C libraries that are built, and the sources named here. Under the
# same names of targets, so that no layer notices. fmt is compiled where it is used, as Debian has no static library.
enable_language(C)
find_package(Threads REQUIRED)
set(CMAKE_C_STANDARD 11)

function(skyline_bundled target name)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${SKYLINE_BUNDLED}/include)
  target_link_libraries(${target} INTERFACE ${ARGN})
  add_library(${name} ALIAS ${target})
endfunction()

add_library(bundled_simdjson_code STATIC ${SKYLINE_BUNDLED}/simdjson/singleheader/simdjson.cpp)
target_compile_options(bundled_simdjson_code PRIVATE -w)

set(zstd ${SKYLINE_BUNDLED}/libzstd/lib)
file(GLOB zstd_sources ${zstd}/common/*.c ${zstd}/compress/*.c ${zstd}/decompress/*.c)  # its Makefile says so, too
add_library(bundled_zstd_code STATIC ${zstd_sources})
target_compile_definitions(bundled_zstd_code PRIVATE ZSTD_DISABLE_ASM XXH_NAMESPACE=ZSTD_)
target_compile_options(bundled_zstd_code PRIVATE -w)
set_target_properties(bundled_zstd_code PROPERTIES OUTPUT_NAME zstd UNITY_BUILD OFF)

skyline_bundled(bundled_simdjson simdjson::simdjson bundled_simdjson_code)
skyline_bundled(bundled_isal skyline::isal ${SKYLINE_BUNDLED}/lib/libisal.a)
skyline_bundled(bundled_zstd skyline::zstd bundled_zstd_code)
skyline_bundled(bundled_xxhash skyline::xxhash)
skyline_bundled(bundled_sqlite skyline::sqlite ${SKYLINE_BUNDLED}/lib/libsqlite3.a m ${CMAKE_DL_LIBS} Threads::Threads)
skyline_bundled(bundled_fmt fmt::fmt)
target_compile_definitions(bundled_fmt INTERFACE FMT_HEADER_ONLY)
skyline_bundled(bundled_cli11 CLI11::CLI11)
skyline_bundled(bundled_boost Boost::headers)
