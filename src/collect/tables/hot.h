// What runs at every operator stands together in the module: training uses the processor's cache of code,
// too.
#pragma once

#define SKYLINE_HOT [[gnu::hot]]
