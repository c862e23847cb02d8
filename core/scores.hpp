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
  return {eight_sums(d, [=](std::int64_t j) { return x[j] * w[j]; }),
          eight_sums(d, [=](std::int64_t j) { return std::abs(x[j] * w[j]); })};
}

WIDER_VECTORS inline Score long_score(const float* x, const double* w, std::int64_t d) {
  return {eight_sums(d, [=](std::int64_t j) { return double(x[j]) * w[j]; }),
          eight_sums(d, [=](std::int64_t j) { return std::abs(double(x[j]) * w[j]); })};
}

// The score of row i; its value has the bits of rows.dot(i, w) + w[d].
template <class Rows>
Score score_and_size(const Rows& rows, std::int64_t i, const double* w) {
  const std::int64_t d = rows.n_features();
  Score score{0.0, 0.0};
  const auto add = [&](std::int64_t j, double x) {
    const double term = x * w[j];
    score.value += term;
    score.size += std::abs(term);
  };
  if constexpr (Rows::DENSE) {
    if (d >= SHORT_ROW) score = long_score(rows.row(i), w, d);
    else rows.each(i, add);
  } else {
    rows.each(i, add);
  }
  return {score.value + w[d], score.size + std::abs(w[d])};
}

// How far a computed score can be from the true one: `extra` counts the roundings besides those of the
// sum, `floor` is what underflow can lose in a term.
class ScoreError {
 public:
  ScoreError(std::int64_t extra, double floor) : extra_(extra), floor_(floor) {}

  double operator()(std::int64_t entries, double size) {
    const auto terms = double(entries + extra_);
    if (entries != entries_) {  // products of subnormals are slow
      entries_ = entries;
      lost_ = terms * floor_;
    }
    return terms * (0x1p-53 * (1.0 + 0x1p-20)) * size + lost_;
  }

 private:
  std::int64_t extra_, entries_ = -1;
  double floor_, lost_ = 0.0;
};

// x̂ᵢ·ŵ, rounded, for each row; equal rows have equal scores.
template <class Rows, class Pause>
void row_scores(const Rows& rows, const double* w, double* scores, Pause& pause) {
  Pace pace(pause);
  for (std::int64_t i = 0; i < rows.n_rows(); ++i) {
    scores[i] = rows.dot(i, w) + w[rows.n_features()];
    pace(rows.entries(i));
  }
}

// The sign of yᵢ x̂ᵢ·ŵ for each row where floating point can tell, 0 where it cannot.
template <class Rows, class Pause>
void filtered_signs(const Rows& rows, const std::int8_t* y, const double* w, ScoreError error,
                    std::int8_t* signs, Pause& pause) {
  Pace pace(pause);
  for (std::int64_t i = 0; i < rows.n_rows(); ++i) {
    const auto [score, size] = score_and_size(rows, i, w);
    const double bound = error(rows.entries(i), size);
    signs[i] = std::int8_t(y[i] * (int(score > bound) - int(score < -bound)));
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
    pace(exact_work(rows.entries(i)));
  }
}

}  // namespace novikoff
