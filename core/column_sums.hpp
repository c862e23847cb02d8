// Sums of columns, row after row: the same bits however rows come in batches.
//
// They are carried with their rounding errors (Neumaier), so that a million rows lose no digits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "wider.hpp"

namespace novikoff {

// What is carried from batch to batch, a number a column: each sum is total + tail.
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

}  // namespace novikoff
