# What `pip install .` puts into the package besides Python: the program, and what the collector is compiled from.
install(TARGETS skyline RUNTIME DESTINATION bin)
install(DIRECTORY src/base src/tracefile src/collect DESTINATION _source
        FILES_MATCHING PATTERN "*.h" PATTERN "*.cpp" PATTERN "sources.txt" PATTERN "*_test.cpp" EXCLUDE)

# And in the self-contained one, what the collector would need of the machine besides a compiler and Python's headers.
if(SKYLINE_BUNDLED)
  install(FILES ${SKYLINE_BUNDLED}/include/zstd.h ${SKYLINE_BUNDLED}/include/zstd_errors.h
                ${SKYLINE_BUNDLED}/include/xxhash.h DESTINATION _source/third_party/include)
  install(FILES $<TARGET_FILE:bundled_zstd_code> DESTINATION _source/third_party/lib)
  install(DIRECTORY ${SKYLINE_BUNDLED}/licenses/ DESTINATION licenses)
endif()
