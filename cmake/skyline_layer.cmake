# One line of truth per folder of src/.
#
#   skyline_layer(ingest
#     SOURCES ingest.cpp gzip_reader.cpp
#     TESTS ingest_test.cpp gzip_reader_test.cpp
#     DEPS base trace simdjson::simdjson skyline::isal)
#
# DEPS are other layers by folder name, or third-party targets of cmake/dependencies.cmake (these have ::).
#
# This makes the static library skyline_ingest (alias skyline::ingest; without SOURCES a header-only one) and,
# with SKYLINE_TESTS, the program ingest_test, a ctest with the label `unit`. THREADED gives it the label `threads` as
# well and makes it part of the target `threaded`, which is what ThreadSanitizer has to look at.
# Sources may sit in subfolders (kineto_json/reader.cpp); includes always start at src/.
#
# COLD: -O1 is enough for it in the build that a first start waits for, which spares a third of the time to compile it.
# A wheel is built once for many and gets -O3 throughout.
#
# With SKYLINE_UNITY (release and sanitizers) a layer's sources are compiled in batches, which takes a sixth of the time.
# The preset dev compiles each by itself, so that a missing include shows.
function(skyline_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "THREADED;COLD" "" "SOURCES;TESTS;DEPS")
  skyline_refuse_unparsed(${name} "${arg_UNPARSED_ARGUMENTS}")
  skyline_split_deps(layers libraries "${arg_DEPS}")

  if(arg_SOURCES)
    add_library(skyline_${name} STATIC ${arg_SOURCES})
    skyline_warnings(skyline_${name})
    if(arg_COLD AND NOT SKYLINE_BUNDLED)
      target_compile_options(skyline_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
      skyline_unity(skyline_${name} cold_headers)
    else()
      skyline_unity(skyline_${name} std_headers)
    endif()
    target_include_directories(skyline_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    # Layers are public, as their types appear in our headers; third-party types stay behind the door.
    target_link_libraries(skyline_${name} PUBLIC ${layers} PRIVATE ${libraries})
  else()
    add_library(skyline_${name} INTERFACE)
    target_include_directories(skyline_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(skyline_${name} INTERFACE ${layers} ${libraries})
  endif()
  add_library(skyline::${name} ALIAS skyline_${name})

  if(arg_TESTS AND SKYLINE_TESTS)
    add_executable(${name}_test ${arg_TESTS})
    skyline_warnings(${name}_test)
    skyline_unity(${name}_test "")
    skyline_test_flags(${name}_test)
    target_link_libraries(${name}_test PRIVATE skyline::${name} ${libraries} GTest::gtest_main)
    # One process for all tests of a layer: starting a thousand of them took longer than the tests.
    add_test(NAME ${name}_test COMMAND ${name}_test)
    set(labels unit)
    if(arg_THREADED)
      list(APPEND labels threads)
    endif()
    set_tests_properties(${name}_test PROPERTIES LABELS "${labels}" TIMEOUT 900)
    if(arg_THREADED)
      add_dependencies(threaded ${name}_test)
    endif()
  endif()
endfunction()

# Compiles the sources of a target in batches, with SKYLINE_UNITY. `headers`: the precompiled ones it may use, or "".
function(skyline_unity target headers)
  if(headers AND TARGET skyline_${headers})
    target_precompile_headers(${target} REUSE_FROM skyline_${headers})
    target_compile_options(${target} PRIVATE -Wno-error=invalid-pch)  # then the headers are read as ever
  endif()
  if(SKYLINE_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20)
    # g++ takes the sources of a batch for headers, in which types of an anonymous namespace would be a mistake; and a
    # name of one source is shadowed by those of others. dev, where each is compiled by itself, warns of both.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage> -Wno-shadow)
  endif()
endfunction()

# A program on top of the layers, written to build/<preset>/bin/<out>:
#
#   skyline_program(skyline SOURCES main.cpp DEPS cli fmt::fmt)
function(skyline_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT" "SOURCES;DEPS")
  skyline_refuse_unparsed(${target} "${arg_UNPARSED_ARGUMENTS}")
  skyline_split_deps(layers libraries "${arg_DEPS}")

  add_executable(${target} ${arg_SOURCES})
  skyline_warnings(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE ${layers} ${libraries})
  target_compile_definitions(${target} PRIVATE SKYLINE_VERSION="${PROJECT_VERSION}")
  if(arg_OUTPUT)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${arg_OUTPUT})
  endif()
endfunction()

# DEPS into targets of ours (base -> skyline::base) and third-party ones (fmt::fmt).
function(skyline_split_deps layers libraries deps)
  set(own ${deps})
  list(FILTER own EXCLUDE REGEX "::")
  list(TRANSFORM own PREPEND skyline::)
  set(foreign ${deps})
  list(FILTER foreign INCLUDE REGEX "::")
  set(${layers} ${own} PARENT_SCOPE)
  set(${libraries} ${foreign} PARENT_SCOPE)
endfunction()

function(skyline_refuse_unparsed name unparsed)
  if(unparsed)
    message(FATAL_ERROR "${name}: unknown words ${unparsed}; see cmake/skyline_layer.cmake")
  endif()
endfunction()
