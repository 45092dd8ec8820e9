# Every third-party library, found once, with the reason we link it. All come from Debian 12 by name
# (tools/packages.sh lists the packages). tools/check_layers.py says which layer may include which.
if(SKYLINE_BUNDLED)  # the self-contained wheel (tools/wheel)
  include(bundled)
  return()
endif()
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)  # ingest parses on all cores

# simdjson: the general JSON reader; validates and indexes at GB/s where a hand-written parser would be slower.
find_package(simdjson REQUIRED)

# ISA-L: streaming gzip inflate about three times as fast as zlib (libdeflate would need the whole output in memory).
pkg_check_modules(isal REQUIRED IMPORTED_TARGET libisal)
add_library(skyline::isal ALIAS PkgConfig::isal)

# zstd: traces compressed as .zst, and the columns of .skyline files.
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
add_library(skyline::zstd ALIAS PkgConfig::zstd)

# xxHash: checksums of .skyline files at memory speed, keys of the cache. Header only.
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
add_library(skyline_xxhash_headers INTERFACE)
target_include_directories(skyline_xxhash_headers SYSTEM INTERFACE ${xxhash_INCLUDE_DIRS})
add_library(skyline::xxhash ALIAS skyline_xxhash_headers)

# SQLite: reports in the tables of Skyline 0.5, which other programs read.
pkg_check_modules(sqlite REQUIRED IMPORTED_TARGET sqlite3)
add_library(skyline::sqlite ALIAS PkgConfig::sqlite)

# fmt: formats text; std::format does not exist in g++ 12.
find_package(fmt REQUIRED)

# CLI11: parses the command line and generates --help from the same objects.
find_package(CLI11 REQUIRED)

# Boost.Beast (headers only): HTTP and WebSocket framing, which is easy to get wrong, on Asio's event loop. It takes half
# a minute a file to compile, so two files know it: serve/http/connection.cpp and serve/http/server.cpp.
find_package(Boost 1.81 REQUIRED)

# GoogleTest: the unit tests beside the code.
if(SKYLINE_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()

# Google Benchmark: microbenchmarks in tests/bench.
if(SKYLINE_BENCH)
  find_package(benchmark REQUIRED)
endif()
