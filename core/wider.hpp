// WIDER_VECTORS before a function: compiled for each width of vector registers, chosen when loaded.
//
// The bits are the same for all: nothing is fused, and nothing is added in another order.
#pragma once

#if defined(__gnu_linux__) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define WIDER_VECTORS __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define WIDER_VECTORS
#endif

// INLINED before what such a function is made of.
#if defined(__GNUC__)
#define INLINED inline __attribute__((always_inline))
#else
#define INLINED inline
#endif
