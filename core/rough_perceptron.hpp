// The averaged perceptron in plain floating point, to start a search: signs near 0 are as rounded.
//
// Besides w, a sum weighs each update by the round that it came in; the average of all w (Freund and
// Schapire, "Large margin classification using the perceptron algorithm", 1999) follows from both.
#pragma once

#include <cstdint>

#include "pace.hpp"

namespace novikoff {

struct RoughRun {
  double rounds;   // examples that were presented
  bool converged;  // whether the last epoch had no mistakes
};

// Up to `most` epochs over all rows; w and delayed hold a number a column and then the bias.
template <class Rows, class Between>
RoughRun rough_perceptron(const Rows& rows, const std::int8_t* y, std::int64_t n, bool with_bias,
                          std::int64_t most, double* w, double* delayed, Between& pause) {
  const std::int64_t d = rows.n_features();
  double rounds = 0.0;
  Pace pace(pause);
  for (std::int64_t epoch = 0; epoch < most; ++epoch) {
    bool mistaken = false;
    for (std::int64_t i = 0; i < n; ++i, rounds += 1.0) {
      pace(rows.entries(i));
      const double side = double(y[i]);
      if (!(side * (rows.dot(i, w) + w[d]) <= 0.0)) continue;
      mistaken = true;
      rows.axpy(i, side, w);
      rows.axpy(i, rounds * side, delayed);
      if (with_bias) {
        w[d] += side;
        delayed[d] += rounds * side;
      }
    }
    if (!mistaken) return {rounds, true};
  }
  return {rounds, false};
}

}  // namespace novikoff
