// How many decimal places the numbers of each column have.
#pragma once

#include <cmath>
#include <cstdint>

#include "pace.hpp"

namespace novikoff {

constexpr double DECIMALS_BELOW = 1e15;  // integers below have at most 15 digits
constexpr std::int64_t MOST_PLACES = 22;  // 10²² is the last power of ten that is a float64
constexpr std::int64_t HARD = -1;         // a column that 22 places would not do for

// Whether x is the float64 nearest to an integer of at most 15 digits over `ten`.
inline bool is_decimal(double x, double ten) {
  const double whole = std::rint(x * ten);
  return std::abs(whole) < DECIMALS_BELOW && whole / ten == x;
}

// Raise each column's places to what its values need; `tens` are 10⁰ to 10²².
template <class Rows, class Pause>
void count_places(const Rows& rows, const double* tens, std::int64_t* places, Pause& pause) {
  Pace pace(pause);
  for (std::int64_t i = 0; i < rows.n_rows(); ++i) {
    rows.each(i, [&](std::int64_t j, double x) {
      const std::int64_t known = places[j];
      if (known < 0 || is_decimal(x, tens[known])) return;
      std::int64_t needed = 0;
      while (needed <= MOST_PLACES && !is_decimal(x, tens[needed])) ++needed;
      places[j] = needed > MOST_PLACES ? HARD : known > needed ? known : needed;
    });
    pace(16 * rows.entries(i));
  }
}

}  // namespace novikoff
