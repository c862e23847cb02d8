// Σ αᵢ(aᵢ − base) plus the bases in twice the working precision, with the sizes of the terms.
//
// Products and sums keep what they round away (Ogita, Rump and Oishi, "Accurate sum and dot
// product", 2005): |fl − exact| ≤ u|exact| + γ²Σ|terms|.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "pace.hpp"
#include "wider.hpp"

namespace novikoff {

// Of each column the sum, what rounding took from it, and Σ|terms|.
struct DoubledSums {
  double* values;
  double* low;
  double* sizes;
};

// Add sign·a·x, where the sign is ±1.
WIDER_VECTORS inline void add_doubled(const double* __restrict x, double sign, double a,
                                      std::int64_t d, double* __restrict values,
                                      double* __restrict low, double* __restrict sizes) {
  constexpr double SPLITTER = 0x1p27 + 1.0;
  const double a_split = SPLITTER * a, a_high = a_split - (a_split - a), a_low = a - a_high;
  for (std::int64_t j = 0; j < d; ++j) {
    const double factor = sign * x[j], product = factor * a;
    const double split = SPLITTER * factor, high = split - (split - factor), rest = factor - high;
    const double of_product =
        rest * a_low - (((product - high * a_high) - rest * a_high) - high * a_low);
    const double total = values[j] + product, part = total - values[j];
    const double of_sum = (values[j] - (total - part)) + (product - part);
    values[j] = total;
    low[j] += of_product + of_sum;
    sizes[j] += std::abs(product);
  }
}

// The last rows of A (n × d) are the bases, one for each group; α has a factor for each row before.
template <class Pause>
void doubled_sums(const double* A, std::int64_t n, std::int64_t d, const std::int64_t* group,
                  const double* alpha, std::int64_t n_groups, const DoubledSums& sums,
                  Pause& pause) {
  const std::int64_t k = n - n_groups;
  const auto [values, low, sizes] = sums;
  for (double* numbers : {values, low, sizes}) std::fill_n(numbers, d, 0.0);
  Pace pace(pause);
  for (std::int64_t g = 0; g < n_groups; ++g) {
    add_doubled(A + (k + g) * d, 1.0, 1.0, d, values, low, sizes);
    pace(8 * d);
  }
  for (std::int64_t i = 0; i < k; ++i) {
    add_doubled(A + i * d, 1.0, alpha[i], d, values, low, sizes);
    add_doubled(A + (k + group[i]) * d, -1.0, alpha[i], d, values, low, sizes);
    pace(8 * d);
  }
  for (std::int64_t j = 0; j < d; ++j) values[j] += low[j];
}

}  // namespace novikoff
