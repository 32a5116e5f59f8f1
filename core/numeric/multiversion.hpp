// One function, compiled for several CPUs; the loader picks. Sums use fixed lanes, so every version has the same bits.
#pragma once

#include <cstddef>

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(AFTERWIT_ONE_VERSION)
#define AFTERWIT_MULTIVERSION __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define AFTERWIT_MULTIVERSION
#endif
