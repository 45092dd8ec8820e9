# What `pip install .` puts into the package besides Python: the program, and what the collector is compiled from.
install(TARGETS skyline RUNTIME DESTINATION bin)
install(DIRECTORY src/base src/tracefile src/collect DESTINATION _source
        FILES_MATCHING PATTERN "*.h" PATTERN "*.cpp" PATTERN "*_test.cpp" EXCLUDE)
