// What is known of columns, row after row: their sums, their extents, and their means by class.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "pace.hpp"
#include "wider.hpp"

namespace novikoff {

// What is carried from batch to batch, a number a column: each sum is total + tail.
//
// Sums are carried with their rounding errors (Neumaier), so that a million rows lose no digits, and
// the bits are the same however rows come in batches.
struct ColumnSums {
  double* totals;
  double* tails;
  double* least;
  double* greatest;
};

// One row, each column by itself.
template <bool SQUARED>
inline void add_row(const double* __restrict x, std::int64_t d, const double* __restrict centre,
             double* __restrict totals, double* __restrict tails, double* __restrict least,
             double* __restrict greatest) {
  for (std::int64_t j = 0; j < d; ++j) {
    least[j] = x[j] < least[j] ? x[j] : least[j];
    greatest[j] = x[j] > greatest[j] ? x[j] : greatest[j];
    const double distance = x[j] - centre[j];
    const double term = SQUARED ? distance * distance : distance;
    const double before = totals[j], total = before + term;
    const double lost_of_term = (before - total) + term, lost_before = (term - total) + before;
    tails[j] += std::abs(before) >= std::abs(term) ? lost_of_term : lost_before;
    totals[j] = total;
  }
}

// Some rows: xⱼ − centreⱼ of each, or its square, is added to the totals.
WIDER_VECTORS inline void add_rows(const double* X, std::int64_t n, std::int64_t d,
                                   const double* centre, bool squared, const ColumnSums& sums) {
  const auto [totals, tails, least, greatest] = sums;
  for (std::int64_t i = 0; i < n; ++i) {
    const double* x = X + i * d;
    if (squared) add_row<true>(x, d, centre, totals, tails, least, greatest);
    else add_row<false>(x, d, centre, totals, tails, least, greatest);
  }
}

template <class Pause>
void add_columns(const double* X, std::int64_t n, std::int64_t d, const double* centre, bool squared,
                 const ColumnSums& sums, Pause& pause) {
  const std::int64_t together = 1 + (std::int64_t{1} << 18) / (d + 1);  // rows between two pauses
  for (std::int64_t start = 0; start < n; start += together) {
    const std::int64_t rows = std::min(together, n - start);
    add_rows(X + start * d, rows, d, centre, squared, sums);
    pause();
  }
}

// The extents of the columns, the longest row, and how many numbers are stored and are not 0.
struct ColumnExtents {
  std::vector<double> least, greatest;
  std::int64_t longest = 0;
  double longest_square = -1.0;
  std::int64_t stored = 0, nonzero = 0;
};

// The extents so far, widened by a dense row; how many of its numbers are not 0.
template <class T>
WIDER_VECTORS std::int64_t extend(const T* __restrict x, std::int64_t d, double* __restrict least,
                                  double* __restrict greatest) {
  std::int64_t nonzero = 0;
  for (std::int64_t j = 0; j < d; ++j) {
    const auto number = double(x[j]);
    least[j] = number < least[j] ? number : least[j];
    greatest[j] = number > greatest[j] ? number : greatest[j];
    nonzero += number != 0.0;
  }
  return nonzero;
}

template <class Rows, class Between>
ColumnExtents column_extents(const Rows& rows, Between& pause) {
  constexpr double INFINITE = std::numeric_limits<double>::infinity();
  const std::int64_t n = rows.n_rows(), d = rows.n_features();
  Pace pace(pause);
  ColumnExtents seen{std::vector<double>(std::size_t(d), INFINITE),
                     std::vector<double>(std::size_t(d), -INFINITE)};
  std::vector<std::int64_t> stored_in(Rows::DENSE ? 0 : std::size_t(d));
  double *const least = seen.least.data(), *const greatest = seen.greatest.data();
  [[maybe_unused]] std::int64_t* const in_column = stored_in.data();
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (Rows::DENSE) {
      seen.nonzero += extend(rows.row(i), d, least, greatest);
    } else {
      std::int64_t nonzero = 0;
      rows.each(i, [&](std::int64_t j, double x) {
        least[j] = x < least[j] ? x : least[j];
        greatest[j] = x > greatest[j] ? x : greatest[j];
        ++in_column[j];
        nonzero += x != 0.0;
      });
      seen.nonzero += nonzero;
    }
    seen.stored += rows.entries(i);
    const double square = rows.sqnorm(i);
    if (square > seen.longest_square || !std::isfinite(square))
      seen.longest = i, seen.longest_square = square;
    pace(rows.entries(i));
  }
  for (std::size_t j = 0; j < stored_in.size(); ++j) {
    if (stored_in[j] == n) continue;  // the column has no zeros that are not stored
    least[j] = std::min(least[j], 0.0);
    greatest[j] = std::max(greatest[j], 0.0);
  }
  return seen;
}

// The mean of each column over the rows of class −1, then over those of class +1.
template <class Rows, class Between>
std::vector<double> class_means(const Rows& rows, const std::int8_t* y, Between& pause) {
  const std::int64_t n = rows.n_rows(), d = rows.n_features();
  Pace pace(pause);
  double count[2] = {0.0, 0.0};
  for (std::int64_t i = 0; i < n; ++i) count[y[i] > 0] += 1.0;
  std::vector<double> means(2 * std::size_t(d));
  for (std::int64_t i = 0; i < n; ++i) {
    double* mean = means.data() + (y[i] > 0 ? d : 0);
    const double rows_in_class = count[y[i] > 0];
    rows.each(i, [&](std::int64_t j, double x) { mean[j] += x / rows_in_class; });
    pace(rows.entries(i));
  }
  return means;
}

}  // namespace novikoff
