// Long loops in blocks of about a millisecond: between two of them Ctrl-C is heard.
#pragma once

#include <algorithm>
#include <cstdint>

namespace novikoff {

// Multiply-adds between two calls of pause(), and what else an example costs.
constexpr std::int64_t WORK_PER_BLOCK = 1'000'000, OVERHEAD = 8;

// How many times work of this size fits into a block.
inline std::int64_t times_per_block(std::int64_t work) {
  return std::max<std::int64_t>(1, WORK_PER_BLOCK / (work + OVERHEAD));
}

// f(i) for i from 0 to n − 1, with a pause after each block of so many.
template <class Between, class F>
void in_blocks(std::int64_t n, std::int64_t block, Between&& pause, F&& f) {
  for (std::int64_t start = 0; start < n; start += block) {
    const std::int64_t stop = std::min(n, start + block);
    for (std::int64_t i = start; i < stop; ++i) f(i);
    pause();
  }
}

}  // namespace novikoff
