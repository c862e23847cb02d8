// The covering program: how much of each known conflict a fractional cover x takes.
#pragma once

#include <algorithm>
#include <cstdint>

namespace novikoff {

// Σ x over the rows of each line of the table: a line ends with a negative number, or when it is full.
// Whether all rows were below n.
template <class Pause>
bool cover_sums(const std::int64_t* table, std::int64_t lines, std::int64_t width, const double* x,
                std::int64_t n, double* sums, Pause& pause) {
  const std::int64_t block = 1 + (std::int64_t{1} << 18) / (width + 1);
  for (std::int64_t start = 0; start < lines; start += block) {
    const std::int64_t stop = std::min(lines, start + block);
    for (std::int64_t j = start; j < stop; ++j) {
      const std::int64_t* rows = table + j * width;
      double total = 0.0;
      std::int64_t k = 0;
      for (; k < width && std::uint64_t(rows[k]) < std::uint64_t(n); ++k) total += x[rows[k]];
      if (k < width && rows[k] >= 0) return false;
      sums[j] = total;
    }
    pause();
  }
  return true;
}

}  // namespace novikoff
