// A filter in front of exact scores: rows that rounded weights already put beyond doubt on their
// right side need none.
#pragma once

#include <algorithm>
#include <cstdint>

#include "epochs.hpp"

namespace novikoff {

// Rounding x and w to float64 first costs two more units a term than the error bound allows for.
constexpr std::int64_t ROUNDED_INPUTS = 3;

// The next position of the order from `start` on whose row, of label `signs[i]`, may be a mistake
// under ŵ = `w` of norm `w_norm`; the order's length if there is none.
template <class Rows, class Between>
std::int64_t next_doubtful(const Rows& rows, const double* signs, const double* norms,
                           const Order& order, std::int64_t start, const double* w, double w_norm,
                           Between&& pause) {
  const std::int64_t block = times_per_block(rows.n_features()), n = order.size();
  while (start < n) {
    const std::int64_t stop = std::min(n, start + block);
    for (; start < stop; ++start) {
      const std::int64_t i = order[start];
      const double error = error_bound(ROUNDED_INPUTS * (rows.entries(i) + 1), norms[i] * w_norm);
      const double score = rows.dot(i, w) + w[rows.n_features()];
      if (!(signs[i] * score > error)) return start;
    }
    pause();
  }
  return n;
}

}  // namespace novikoff
