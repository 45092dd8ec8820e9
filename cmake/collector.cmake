# The collector as a CMake target: the module `_collector` for one Python and its torch, as python/skyline/_build.py
# compiles it for users, with our warnings as errors.
#
#   skyline_collector(SOURCES bindings.cpp recorder.cpp DEPS collect tracefile base)
#
# SKYLINE_PYTHON names the Python; without it, build/venv's, which `./test training` gives torch.
set(SKYLINE_PYTHON "" CACHE FILEPATH "The Python whose headers and torch the collector is built for")
set(python ${SKYLINE_PYTHON})
if(NOT python)
  set(python ${PROJECT_SOURCE_DIR}/build/venv/bin/python)
endif()

# One line each: Python's headers, torch's folder, whether torch has the new ABI of std::string.
execute_process(
  COMMAND ${python} -c "
import sysconfig, pathlib, importlib.util
torch = pathlib.Path(importlib.util.find_spec('torch').origin).parent
print(sysconfig.get_paths()['include'], torch, sep='\\n')
import torch; print(int(torch.compiled_with_cxx11_abi()))"
  OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE trouble)
if(trouble)
  message(FATAL_ERROR "${python} has no torch: set SKYLINE_PYTHON to one that has, or make it by ./test training")
endif()
string(REPLACE "\n" ";" answer "${answer}")
list(GET answer 0 python_headers)
list(GET answer 1 torch_folder)
list(GET answer 2 torch_abi)

function(skyline_collector)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "SOURCES;DEPS")
  skyline_refuse_unparsed(collector "${arg_UNPARSED_ARGUMENTS}")
  skyline_split_deps(layers libraries "${arg_DEPS}")

  add_library(skyline_collector MODULE ${arg_SOURCES})
  skyline_warnings(skyline_collector)
  skyline_unity(skyline_collector "")
  set_target_properties(skyline_collector PROPERTIES
    PREFIX "" OUTPUT_NAME _collector LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
    CXX_VISIBILITY_PRESET hidden BUILD_RPATH ${torch_folder}/lib)
  # As torch: without NDEBUG its classes have other layouts.
  target_compile_definitions(skyline_collector PRIVATE NDEBUG _GLIBCXX_USE_CXX11_ABI=${torch_abi})
  target_include_directories(skyline_collector SYSTEM PRIVATE
    ${torch_folder}/include ${torch_folder}/include/torch/csrc/api/include ${python_headers})
  target_link_directories(skyline_collector PRIVATE ${torch_folder}/lib)
  target_link_libraries(skyline_collector PRIVATE ${layers} ${libraries} c10 torch_cpu)
endfunction()
