// Gram matrices of sparse rows.
#pragma once

#include <cstdint>

#include "compressed.hpp"
#include "pace.hpp"

namespace novikoff {

// Add AᵀDA, D = diag(weights), on and below the diagonal to G of p × p numbers in column-major order.
// The indices of each row of A are sorted.
template <class Index, class Between>
void add_weighted_gram(const Compressed<Index>& A, const double* weights, std::int64_t p, double* G,
                       Between& pause) {
  Pace pace(pause);
  for (std::int64_t i = 0; i < A.count; ++i) {
    const double weight = weights[i];
    const std::int64_t end = A.end(i);
    for (std::int64_t a = A.start(i); a < end; ++a) {
      double* column = G + A.index(a) * p;
      const double scaled = weight * A.values[a];
      for (std::int64_t b = a; b < end; ++b) column[A.index(b)] += scaled * A.values[b];
      pace(end - a);
    }
  }
}

}  // namespace novikoff
