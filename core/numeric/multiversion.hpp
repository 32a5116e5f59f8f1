// One function, compiled for several CPUs; the loader picks. Sums use fixed lanes, so every version has the same bits.
#pragma once

#include <cstddef>

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(AFTERWIT_ONE_VERSION)
#define AFTERWIT_MULTIVERSION __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
// A function written twice: as it is for every CPU, and with the instructions of AVX2 or AVX-512 where there is no
// other way.
#define AFTERWIT_V3 __attribute__((target("arch=x86-64-v3")))
#define AFTERWIT_V4 __attribute__((target("arch=x86-64-v4")))
#define AFTERWIT_ANY __attribute__((target("default")))
#else
#define AFTERWIT_ANY
#define AFTERWIT_MULTIVERSION
#endif
