# A reader under fuzz: a file that defines LLVMFuzzerTestOneInput.
#
#   skyline_fuzz_target(kineto_json_fuzz SOURCES kineto_json_fuzz.cpp DEPS ingest)
#
# With the preset `fuzz` it explores (libFuzzer):  build/fuzz/bin/kineto_json_fuzz tests/fuzz/corpus/kineto_json_fuzz
# With any other it replays the files given, and ctest (label `fuzz`) replays tests/fuzz/corpus/<name>/.
function(skyline_fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPS")
  skyline_refuse_unparsed(${name} "${arg_UNPARSED_ARGUMENTS}")
  skyline_split_deps(layers libraries "${arg_DEPS}")

  add_executable(${name} ${arg_SOURCES})
  skyline_warnings(${name})
  target_link_libraries(${name} PRIVATE ${layers} ${libraries})
  if(SKYLINE_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    return()
  endif()

  skyline_test_flags(${name})
  target_link_libraries(${name} PRIVATE fuzz_replay)
  add_test(NAME fuzz.${name} COMMAND ${name} ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name})
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT 300)
endfunction()
