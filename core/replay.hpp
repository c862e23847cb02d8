// A run played again from its journal: the same updates, in the same order, to the same bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "epochs.hpp"

namespace novikoff {

// The rows that were mistaken, in their order.
struct Mistakes {
  const std::int64_t* rows;
  std::int64_t size;
};

// Push `w` by each of these mistakes in turn.
template <class Rows, class Between>
void replay(const Examples<Rows>& examples, const Mistakes& mistakes, double* w, Between&& pause) {
  in_blocks(mistakes.size, examples_per_block(examples), pause, [&](std::int64_t k) {
    const std::int64_t i = mistakes.rows[k];
    update(examples.rows, i, examples.push[i], w, examples.bias);
  });
}

// The first of these mistakes, from ŵ = `w` on, that is none or has another score; or −1.
template <class Rows, class Between>
std::int64_t first_false(const Examples<Rows>& examples, const Mistakes& mistakes,
                         const double* scores, int tie, double* w, Between&& pause) {
  for (std::int64_t k = 0; k < mistakes.size; ++k) {
    const std::int64_t i = mistakes.rows[k];
    const double push = examples.push[i], score = exact_score(examples.rows, i, w);
    const double side = push > 0.0 ? score : -score;
    const bool is_right = side > 0.0 || (side == 0.0 && tie * push > 0.0);
    if (is_right || score != scores[k]) return k;
    update(examples.rows, i, push, w, examples.bias);
    pause();
  }
  return -1;
}

// ‖w‖: nothing cancels in a sum of squares, so only their range needs care.
inline double length(const double* w, std::int64_t size) {
  double total = 0.0, largest = 0.0;
  for (std::int64_t j = 0; j < size; ++j) {
    total += w[j] * w[j];
    largest = std::max(largest, std::abs(w[j]));
  }
  if ((SAFE_LOW < total && total < SAFE_HIGH) || largest == 0.0) return std::sqrt(total);
  total = 0.0;
  for (std::int64_t j = 0; j < size; ++j) total += (w[j] / largest) * (w[j] / largest);
  return largest * std::sqrt(total);
}

// u·v, done exactly where the rounding of a plain sum would be more than that of its terms.
inline double product(const double* u, const double* v, std::int64_t size) {
  double total = 0.0, terms = 0.0;
  for (std::int64_t j = 0; j < size; ++j) {
    const double term = u[j] * v[j];
    total += term;
    terms += std::abs(term);
  }
  if (SAFE_LOW < terms && terms < SAFE_HIGH && terms <= 2.0 * std::abs(total)) return total;
  return exact_dot(u, v, size);
}

// Along a run, after each mistake: ‖ŵ‖, ŵ·ŵ*, and how far rounding can have moved both.
//
// `drift` bounds how far the rounding of all updates so far has moved ŵ, and `growth` by how much it
// can have raised ‖ŵ‖² above what the proof allows: each update rounds each weight twice.
struct Followed {
  double* norms;
  double* alignments;
  double* drift;
  double* growth;
};

// Play a run again from ŵ = `w` = 0 and measure the weights after each mistake. Without `w_star`
// there are no ŵ·ŵ*.
template <class Rows, class Between>
void follow(const Examples<Rows>& examples, const Mistakes& mistakes, double* w,
            const double* w_star, const Followed& found, Between&& pause) {
  constexpr double LEAST = 5e-324;  // the least positive float64
  const std::int64_t size = examples.rows.n_features() + 1;
  double before = 0.0, drift = 0.0, growth = 0.0;
  in_blocks(mistakes.size, times_per_block(8 * size), pause, [&](std::int64_t k) {
    const std::int64_t i = mistakes.rows[k];
    update(examples.rows, i, examples.push[i], w, examples.bias);
    const double now = length(w, size);
    found.norms[k] = now;
    if (w_star != nullptr) found.alignments[k] = product(w, w_star, size);
    const double step = std::abs(examples.push[i]) * examples.norms[i];
    const double rounding = 2.0 * UNIT * INFLATE * (now + step) + double(size) * LEAST;
    drift = (drift + rounding) * (1.0 + 4 * UNIT);
    growth = (growth + rounding * (2.0 * (before + step) + rounding)) * (1.0 + 8 * UNIT);
    before = now;
    found.drift[k] = drift;
    found.growth[k] = growth;
  });
}

}  // namespace novikoff
