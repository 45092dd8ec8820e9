# What a released program has against its own mistakes, and the price of which no benchmark sees: a canary in frames with
# buffers, checked calls of libc (_FORTIFY_SOURCE), a random address, and tables of addresses that are read-only before
# main() starts. Only in Release: other builds are for debuggers and sanitizers, which see more and bear no FORTIFY.
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)  # with CMAKE_POSITION_INDEPENDENT_CODE, programs are linked with -pie, too
add_compile_options("$<$<CONFIG:Release>:-fstack-protector-strong;-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
add_link_options("$<$<CONFIG:Release>:LINKER:-z,relro,-z,now>")
