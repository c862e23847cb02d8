// The sign of a score, never guessed: a fast dot product, an error bound, exact work if need be.
//
// For any order of summation the computed score differs from x̂·ŵ by at most
// (d+3)·u·(1+ε)·‖x̂‖·‖ŵ‖ plus what underflow can lose, u = 2⁻⁵³ (Higham, "Accuracy and Stability of
// Numerical Algorithms", §3.1, with Cauchy–Schwarz). The bound costs O(1) a row, because ‖x̂ᵢ‖ is
// known once and ‖ŵ‖ is carried along. What it cannot decide, the accumulator does. So a sign depends
// on the stored numbers alone and not on storage, batch or thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "accumulator.hpp"
#include "pace.hpp"

namespace novikoff {

constexpr double UNIT = 0x1p-53;
// A square in this range has lost nothing to underflow and overflows nothing when summed.
constexpr double SAFE_LOW = 1e-280, SAFE_HIGH = 1e280;
// Far above what underflow can lose, far below any score that matters; and not a subnormal, which
// processors add slowly.
constexpr double TINY = 1e-300;
// Room for the rounding of the bounds themselves.
constexpr double INFLATE = 1.0 + 0x1p-40;

// How far a computed score can be from the true one, given bound ≥ ‖x̂‖·‖ŵ‖.
inline double error_bound(std::int64_t entries, double bound) {
  return double(entries + 3) * UNIT * INFLATE * bound + TINY;
}

// y·(x_i · w + w[d]), rounded; only y's sign counts.
template <class Rows>
double signed_score(const Rows& rows, std::int64_t i, double y, const double* w) {
  return (rows.dot(i, w) + w[rows.n_features()]) * (y > 0.0 ? 1.0 : -1.0);
}

// Whether y·(x_i · w + w[d]) > 0 beyond doubt, given bound ≥ ‖x̂_i‖·‖ŵ‖; only y's sign counts.
template <class Rows>
bool surely_right(const Rows& rows, std::int64_t i, double y, const double* w, double bound) {
  return signed_score(rows, i, y, w) > error_bound(rows.entries(i), bound);
}

// The sign of x_i · w + w[d], given bound ≥ ‖x̂_i‖·‖ŵ‖. Where all numbers are integers, sums below
// exact_below = 2⁵³ are exact as they stand (for other numbers it is 0): data on a grid is full of
// ties, and they should cost nothing.
template <class Rows>
int score_sign(const Rows& rows, std::int64_t i, const double* w, double bound,
               double exact_below) {
  const double score = rows.dot(i, w) + w[rows.n_features()];
  const double error = error_bound(rows.entries(i), bound);
  if (score > error) return 1;
  if (score < -error) return -1;
  if (bound < exact_below) return int(score > 0) - int(score < 0);
  return exact_sign(rows, i, w);
}

// ‖values‖ from above, where squares would overflow or vanish; infinite if a value is NaN.
inline double norm_from_scratch(const double* values, std::int64_t count) {
  double largest = 0.0;
  for (std::int64_t k = 0; k < count; ++k) {
    if (!std::isfinite(values[k])) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::abs(values[k]));
  }
  if (largest == 0.0) return 0.0;
  double total = 0.0;
  for (std::int64_t k = 0; k < count; ++k)
    total += (values[k] / largest) * (values[k] / largest);
  return largest * std::sqrt(total) * (1.0 + double(count) * 4 * UNIT) * INFLATE + TINY;
}

// An upper bound on ‖w‖ that is right to many digits.
inline double norm_bound(const double* w, std::int64_t count) {
  double total = 0.0;
  for (std::int64_t j = 0; j < count; ++j) total += w[j] * w[j];
  if (SAFE_LOW < total && total < SAFE_HIGH)
    return std::sqrt(total) * (1.0 + double(count) * UNIT) * INFLATE;
  return norm_from_scratch(w, count);
}

// An upper bound on ‖x̂ᵢ‖, where the bias (0 or 1) is one more entry of the row.
template <class Rows>
double row_norm(const Rows& rows, std::int64_t i, double bias) {
  const double total = rows.sqnorm(i) + bias;
  if (SAFE_LOW < total && total < SAFE_HIGH)
    return std::sqrt(total) * (1.0 + double(rows.entries(i) + 1) * UNIT) * INFLATE;
  std::vector<double> values;
  values.reserve(std::size_t(rows.entries(i)) + 1);
  rows.each(i, [&](std::int64_t, double x) { values.push_back(x); });
  values.push_back(bias);
  return norm_from_scratch(values.data(), std::int64_t(values.size()));
}

// An upper bound on ‖ŵ + step·x̂‖ after a mistake on x̂.
//
// A mistake means that step·(ŵ·x̂) ≤ 0, so ‖ŵ + step·x̂‖² ≤ ‖ŵ‖² + step²‖x̂‖²: the second inequality
// of the convergence proof, put to work. The inflation covers the rounding of the update.
inline double norm_after_update(double w_norm, double step, double row_norm) {
  const double gained = step * row_norm, total = w_norm * w_norm + gained * gained;
  if (SAFE_LOW < total && total < SAFE_HIGH) return std::sqrt(total) * (1.0 + 8 * UNIT) + TINY;
  return std::hypot(w_norm, gained) * (1.0 + 8 * UNIT) + TINY;
}

// An upper bound on ‖ŵ − ŵ₀‖ after an update by push·x̂ of the weights ŵ, whose norm `w_norm` bounds,
// given an upper bound `moved` before it. `gain` is y ŵ·x̂ − y ŵ₀·x̂ as computed, y the sign of push.
//
// With δ = ŵ − ŵ₀ and p = push: ‖δ + p·x̂‖² = ‖δ‖² + 2p(δ·x̂) + p²‖x̂‖², and |p|·gain is p(δ·x̂). All that
// rounds (the two scores, the update itself) is added.
inline double distance_after(double moved, double push, double row_norm, double w_norm,
                             std::int64_t entries, double gain) {
  const double size = std::abs(push), gained = size * row_norm, longest = w_norm + gained;
  const double squares = (moved * moved + gained * gained) * (1.0 + 8 * UNIT);
  if (!(SAFE_LOW < squares && squares < SAFE_HIGH))  // squares that vanish or overflow say nothing
    return (moved + gained) * (1.0 + 8 * UNIT) + 4 * UNIT * longest + TINY;
  const double error = 2.0 * size * error_bound(entries + 8, row_norm * (2.0 * w_norm + moved));
  const double square = std::max(squares + 2.0 * size * gain + error, 0.0);
  return std::sqrt(square) * (1.0 + 8 * UNIT) + 4 * UNIT * longest;
}

// The row whose y·(x·w + w[d]) is least, exactly, for y = ±1 (of equals, the first).
//
// A fast pass bounds every y·s from both sides; only rows that could be the least are compared.
template <class Rows, class Pause>
std::int64_t least_row(const Rows& rows, const double* y, const double* w, Pause& pause) {
  constexpr double INFINITE = std::numeric_limits<double>::infinity();
  const std::int64_t n = rows.n_rows(), d = rows.n_features();
  const double w_norm = norm_bound(w, d + 1);
  std::vector<double> lower(std::size_t(n), -INFINITE);
  double least_upper = INFINITE;
  Pace pace(pause);
  for (std::int64_t i = 0; i < n; ++i) {
    const double side = y[i] * (rows.dot(i, w) + w[d]);
    const double error = error_bound(rows.entries(i), row_norm(rows, i, 1.0) * w_norm);
    pace(2 * rows.entries(i));
    if (!std::isfinite(side) || !std::isfinite(error)) continue;
    lower[std::size_t(i)] = side - error;
    least_upper = std::min(least_upper, side + error);
  }
  std::int64_t least = -1;
  for (std::int64_t i = 0; i < n; ++i) {
    if (lower[std::size_t(i)] > least_upper) continue;
    if (least < 0 || is_less(rows, i, y[i], least, y[least], w)) least = i;
    pace(2 * exact_work(rows.entries(i)));
  }
  return least;
}

}  // namespace novikoff
