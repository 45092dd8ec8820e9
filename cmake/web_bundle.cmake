# The built page (web/dist) becomes part of the program: each file is packed with gzip and pulled in by the assembler.
# Included, it gives skyline_web_bundle(OUT), which adds the command; run with -P, it is that command.
#
# Without web/dist the list is empty and serve/http/bundle.cpp has a page that says so. No Node is needed for either.

# OUT: the path of the C++ file to compile.
function(skyline_web_bundle out)
  set(dist ${PROJECT_SOURCE_DIR}/web/dist)
  # Found anew at every build: file names change with their content.
  file(GLOB_RECURSE files RELATIVE ${dist} CONFIGURE_DEPENDS ${dist}/*)
  list(FILTER files EXCLUDE REGEX "\\.map$")
  list(SORT files)
  set(folder ${PROJECT_BINARY_DIR}/web_bundle)
  set(script ${PROJECT_SOURCE_DIR}/cmake/web_bundle.cmake)
  list(TRANSFORM files PREPEND ${dist}/ OUTPUT_VARIABLE paths)
  add_custom_command(
    OUTPUT ${folder}/bundle_files.cpp
    COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DDIST=${dist} -DFOLDER=${folder} -P ${script}
    DEPENDS ${paths} ${script}
    COMMENT "Packing web/dist"
    VERBATIM)
  set(${out} ${folder}/bundle_files.cpp PARENT_SCOPE)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  return()
endif()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(texts "")
set(declarations "")
set(entries "")
set(count 0)
foreach(file IN LISTS FILES)
  set(packed ${FOLDER}/${count}.gz)
  # -n: no name and no time inside, so that the same page gives the same program.
  execute_process(COMMAND gzip -9 -n -c ${DIST}/${file} OUTPUT_FILE ${packed} COMMAND_ERROR_IS_FATAL ANY)
  file(SHA256 ${packed} hash)
  set(name skyline_web_${count})
  # The hash makes this file change with the packed one, which the compiler would not notice.
  string(APPEND texts "// ${file} ${hash}\n"
    "__asm__(\".section .rodata\\n.balign 16\\n.global ${name}_begin\\n.hidden ${name}_begin\\n${name}_begin:\\n\"\n"
    "        \".incbin \\\"${packed}\\\"\\n.global ${name}_end\\n.hidden ${name}_end\\n${name}_end:\\n.text\\n\");\n")
  string(APPEND declarations "extern \"C\" const char ${name}_begin[], ${name}_end[];\n")
  string(APPEND entries "    {\"${file}\", ${name}_begin, ${name}_end},\n")
  math(EXPR count "${count} + 1")
endforeach()
if(count EQUAL 0)
  set(list "  return {};\n")
else()
  set(list "  static const EmbeddedFile files[] = {\n${entries}  };\n  return files;\n")
endif()
file(WRITE ${FOLDER}/bundle_files.cpp
  "// Made by cmake/web_bundle.cmake.\n#include \"serve/http/bundle.h\"\n\n${texts}${declarations}\n"
  "namespace skyline::serve {\nstd::span<const EmbeddedFile> embedded_files() {\n${list}}\n}  // namespace skyline::serve\n")
