// What a loop does between two blocks of its work: nothing, unless it is to end.
//
// A loop runs without Python's lock, so that other threads go on. Every few milliseconds of work it
// calls pause(): often enough for Ctrl-C and time limits to be heard at once, seldom enough to cost
// nothing. What a signal handler raises (KeyboardInterrupt) ends the loop, and so does OutOfTime when
// the seconds are over that the caller gave.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>

#include <nanobind/nanobind.h>

namespace novikoff {

// How often loops have paused in this thread: a test counts it, for there must be enough.
inline thread_local std::int64_t pauses = 0;

class Pause {
  using Clock = std::chrono::steady_clock;

 public:
  explicit Pause(double seconds_left = std::numeric_limits<double>::infinity()) {
    if (seconds_left < MOST_SECONDS)  // more than that is no limit
      ends_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(seconds_left));
  }

  void operator()() {
    ++pauses;
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + EVERY;
    nanobind::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    if (now >= ends_) {
      const auto error = nanobind::module_::import_("novikoff.core.progress").attr("OutOfTime");
      PyErr_SetNone(error.ptr());
      throw nanobind::python_error();
    }
  }

 private:
  static constexpr double MOST_SECONDS = 1e9;
  static constexpr std::chrono::milliseconds EVERY{20};
  nanobind::gil_scoped_release without_lock_;
  Clock::time_point next_ = Clock::now() + EVERY;
  Clock::time_point ends_ = Clock::time_point::max();
};

}  // namespace novikoff
