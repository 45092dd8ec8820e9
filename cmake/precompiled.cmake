# The standard library's headers, read once for a first build of release instead of once per batch: an eighth of its time.
#
# Not where ccache compiles (./test): it finds nothing again that a precompiled header went into. Not for dev, which shows
# missing includes.
if(NOT SKYLINE_UNITY OR CMAKE_CXX_COMPILER_LAUNCHER OR SKYLINE_BUNDLED OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  return()
endif()

# One for each set of options that layers are compiled with; see COLD in skyline_layer.cmake.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/empty.cpp CONTENT "")
foreach(headers std_headers cold_headers)
  add_library(skyline_${headers} OBJECT ${PROJECT_BINARY_DIR}/empty.cpp)
  skyline_warnings(skyline_${headers})  # -Wpedantic decides which macros there are
  target_precompile_headers(skyline_${headers} PRIVATE
    <algorithm> <array> <atomic> <chrono> <condition_variable> <cstdint> <filesystem> <functional> <map> <memory> <mutex>
    <optional> <span> <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector>)
endforeach()
target_compile_options(skyline_cold_headers PRIVATE $<$<CONFIG:Release>:-O1>)
