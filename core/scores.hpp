// Scores x̂·ŵ over all rows, with an error bound that knows the size of each sum.
//
// For any order of summation |fl(x·w + b) − (x·w + b)| ≤ γₖ(|x|·|w| + |b|), γₖ = ku/(1−ku), with k a
// little more than the number of terms (Higham, "Accuracy and Stability of Numerical Algorithms",
// §3.1). The bound is inflated for its own rounding and has a term for underflow.
#pragma once

#include <cmath>
#include <cstdint>

#include "accumulator.hpp"
#include "pace.hpp"
#include "rows.hpp"
#include "wider.hpp"

namespace novikoff {

// x̂·ŵ and |x̂|·|ŵ|, both rounded.
struct Score {
  double value, size;
};

WIDER_VECTORS inline Score long_score(const double* x, const double* w, std::int64_t d) {
  double value = 0.0, size = 0.0;
#pragma omp simd reduction(+ : value, size)
  for (std::int64_t j = 0; j < d; ++j) {
    const double term = x[j] * w[j];
    value += term;
    size += std::abs(term);
  }
  return {value + w[d], size + std::abs(w[d])};
}

WIDER_VECTORS inline Score long_score(const float* x, const double* w, std::int64_t d) {
  double value = 0.0, size = 0.0;
#pragma omp simd reduction(+ : value, size)
  for (std::int64_t j = 0; j < d; ++j) {
    const double term = double(x[j]) * w[j];
    value += term;
    size += std::abs(term);
  }
  return {value + w[d], size + std::abs(w[d])};
}

// The score of row i, summed in any order that depends on nothing but the length of the row.
template <class Rows>
Score score_and_size(const Rows& rows, std::int64_t i, const double* w) {
  const std::int64_t d = rows.n_features();
  if constexpr (Rows::DENSE) {
    if (d >= SHORT_ROW) return long_score(rows.row(i), w, d);
  }
  Score score{w[d], std::abs(w[d])};
  rows.each(i, [&](std::int64_t j, double x) {
    const double term = x * w[j];
    score.value += term;
    score.size += std::abs(term);
  });
  return score;
}

// The roundings of a score besides those of the sum, and what underflow can lose in a term.
struct ErrorTerms {
  std::int64_t extra;
  double floor;
};

// How far a computed score can be from the true one.
inline double score_error(std::int64_t entries, double size, ErrorTerms more) {
  constexpr double UNIT_INFLATED = 0x1p-53 * (1.0 + 0x1p-20);
  const auto terms = double(entries + more.extra);
  return terms * UNIT_INFLATED * size + terms * more.floor;
}

// x̂ᵢ·ŵ, rounded, for each row; equal rows have equal scores.
template <class Rows, class Pause>
void row_scores(const Rows& rows, const double* w, double* scores, Pause& pause) {
  Pace pace(pause);
  for (std::int64_t i = 0; i < rows.n_rows(); ++i) {
    scores[i] = score_and_size(rows, i, w).value;
    pace(rows.entries(i));
  }
}

// The sign of yᵢ x̂ᵢ·ŵ for each row where floating point can tell, 0 where it cannot.
template <class Rows, class Pause>
void filtered_signs(const Rows& rows, const std::int8_t* y, const double* w, ErrorTerms more,
                    std::int8_t* signs, Pause& pause) {
  Pace pace(pause);
  for (std::int64_t i = 0; i < rows.n_rows(); ++i) {
    const auto [score, size] = score_and_size(rows, i, w);
    const double error = score_error(rows.entries(i), size, more);
    signs[i] = score > error ? y[i] : score < -error ? std::int8_t(-y[i]) : std::int8_t(0);
    pace(rows.entries(i));
  }
}

// The signs of yᵢ x̂ᵢ·ŵ for some rows, floats and all, without rounding.
template <class Rows, class Pause>
void exact_signs(const Rows& rows, const std::int8_t* y, const std::int64_t* indices,
                 std::int64_t count, const double* w, std::int8_t* signs, Pause& pause) {
  Pace pace(pause);
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t i = indices[k];
    signs[k] = std::int8_t(y[i] * exact_sign(rows, i, w));
    pace(100 * rows.entries(i));
  }
}

}  // namespace novikoff
