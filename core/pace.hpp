// pause() once in a million multiply-adds or so: often enough to be heard at once (pause.hpp), and
// seldom enough that short rows do not read the clock.
#pragma once

#include <cstdint>

namespace novikoff {

template <class Between>
class Pace {
 public:
  explicit Pace(Between& pause) : pause_(pause) {}

  // Called after so much work, or before it.
  void operator()(std::int64_t work) {
    left_ -= work;
    if (left_ > 0) return;
    pause_();
    left_ = WORK_PER_BLOCK;
  }

 private:
  static constexpr std::int64_t WORK_PER_BLOCK = 1'000'000;
  Between& pause_;
  std::int64_t left_ = WORK_PER_BLOCK;
};

// What a row costs besides its entries.
constexpr std::int64_t A_ROW = 8;

}  // namespace novikoff
