// Long loops in blocks of some tenths of a millisecond: between two of them Ctrl-C is heard.
//
// What is slow takes tens of times as long as a multiply-add: exact sums, subnormal numbers. A block
// of it is over in some milliseconds.
#pragma once

#include <algorithm>
#include <cstdint>

namespace novikoff {

// Multiply-adds between two calls of pause(), and what else an example costs.
constexpr std::int64_t WORK_PER_BLOCK = 250'000, OVERHEAD = 8;

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

// Where the work of a step varies, as with rows of any length: pace(work) pauses after so much of it.
template <class Between>
class Pace {
 public:
  explicit Pace(Between& pause) : pause_(pause) {}

  // So many more multiply-adds, or what takes as long, are done.
  void operator()(std::int64_t work) {
    done_ += work + OVERHEAD;
    if (done_ < WORK_PER_BLOCK) return;
    done_ = 0;
    pause_();
  }

 private:
  Between& pause_;
  std::int64_t done_ = 0;
};

// What an exact score of so many entries takes, in multiply-adds.
inline std::int64_t exact_work(std::int64_t entries) { return 400 + 40 * entries; }

}  // namespace novikoff
