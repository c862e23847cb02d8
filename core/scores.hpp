// Scores x̂·ŵ, rounded, with a bound on their error.
//
// For any order of summation |fl(x·w + b) − (x·w + b)| ≤ γₖ(|x|·|w| + |b|), γₖ = ku/(1−ku), with k a
// little more than the number of terms (Higham, "Accuracy and Stability of Numerical Algorithms",
// §3.1). The bound is inflated for its own rounding and has a term for underflow.
#pragma once

#include <cmath>
#include <cstdint>

#include "rows.hpp"

namespace novikoff {

// How many roundings there are besides those of the sum, and what underflow can lose in one.
struct ErrorTerms {
  std::int64_t extra;
  double floor;
};

// x̂·ŵ and |x̂|·|ŵ|, both rounded; the bias is the last weight.
template <class Rows>
DotAndSize score_and_size(const Rows& rows, std::int64_t i, const double* w_hat) {
  const double bias = w_hat[rows.n_features()];
  const DotAndSize sums = rows.dot_and_size(i, w_hat);
  return {sums.dot + bias, sums.size + std::abs(bias)};
}

// How far a computed score of a row with so many entries can be from the true one.
inline double score_error(std::int64_t entries, double size, ErrorTerms terms) {
  constexpr double UNIT_INFLATED = 0x1p-53 * (1.0 + 0x1p-20);
  const double count = double(entries + terms.extra), error = count * UNIT_INFLATED * size;
  // Subnormal numbers are slow, and to add one changes nothing here.
  if (terms.floor < 1e-300 && error > 1e-270) return error;
  return error + count * terms.floor;
}

}  // namespace novikoff
