// What a loop does between two blocks of its work: nothing, unless Ctrl-C was pressed.
//
// A loop runs without Python's lock, so that other threads go on. Every few milliseconds of work it
// calls pause(): often enough for Ctrl-C to be heard at once, seldom enough to cost nothing. What a
// signal handler raises (KeyboardInterrupt, or the error of a time limit) ends the loop.
#pragma once

#include <chrono>

#include <nanobind/nanobind.h>

namespace novikoff {

class Pause {
 public:
  void operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + EVERY;
    nanobind::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
  }

 private:
  static constexpr std::chrono::milliseconds EVERY{20};
  nanobind::gil_scoped_release without_lock_;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + EVERY;
};

}  // namespace novikoff
