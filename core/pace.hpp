// When a loop over rows of any length pauses: after so much work, not after so many rows.
#pragma once

#include <cstdint>

namespace novikoff {

template <class Pause>
class Pace {
 public:
  explicit Pace(Pause& pause) : pause_(pause) {}

  // So many more multiply-adds, or what takes as long, are done.
  void operator()(std::int64_t work) {
    done_ += work + OVERHEAD;
    if (done_ < MOST) return;
    done_ = 0;
    pause_();
  }

 private:
  static constexpr std::int64_t MOST = 1'000'000, OVERHEAD = 8;
  Pause& pause_;
  std::int64_t done_ = 0;
};

}  // namespace novikoff
