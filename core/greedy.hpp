// The order "worst": epochs of as many rounds as there are examples, each on the worst mistake.
//
// Of all mistakes that is the most violated one, chosen the same for every storage.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "perceptron.hpp"

namespace novikoff {

// The mistake with the least y·s (of equals, the first), or −1 if there is none.
//
// A fast pass bounds every y·s from both sides (into `sides`, from below); only rows that could be
// the least are then compared exactly.
template <class Rows, class Between>
std::int64_t worst_mistake(const Examples<Rows>& examples, Rule rule, const Weights& weights,
                           double* sides, Between&& pause) {
  constexpr double INFINITE = std::numeric_limits<double>::infinity();
  const Rows& rows = examples.rows;
  const double *push = examples.push, *norms = examples.norms, *w = weights.w;
  const double norm = *weights.norm;
  double least_upper = INFINITE;
  in_blocks(examples.n, examples_per_block(examples), pause, [&](std::int64_t i) {
    if (push[i] == 0.0) {
      sides[i] = INFINITE;
      return;
    }
    const double side = signed_score(rows, i, push[i], w);
    const double error = error_bound(rows.entries(i), norms[i] * norm);
    if (std::isfinite(side)) {
      sides[i] = side - error;
      least_upper = std::min(least_upper, side + error);
    } else {
      sides[i] = -INFINITE;
    }
  });
  std::int64_t worst = -1;
  double worst_y = 0.0;
  in_blocks(examples.n, WORK_PER_BLOCK, pause, [&](std::int64_t i) {
    if (push[i] == 0.0 || sides[i] > least_upper) return;
    pause();  // what follows may be exact, and slow
    if (!is_mistake(rows, i, push[i], w, norms[i] * norm, rule)) return;
    const double y = push[i] > 0.0 ? 1.0 : -1.0;
    if (worst < 0 || is_less(rows, i, y, worst, worst_y, w)) {
      worst = i;
      worst_y = y;
    }
  });
  return worst;
}

// A run of the perceptron, and room for a bound on the side yᵢ ŵ·x̂ᵢ of every row.
struct GreedyPerceptron {
  Perceptron plain;
  double* sides;

  template <class Rows, class Between>
  int begin_epoch(const Examples<Rows>& examples, const Order& order, Between&& pause) const {
    return plain.begin_epoch(examples, order, pause);
  }

  // Learn from the worst mistake once a round; the epoch ends where there is none.
  template <class Rows, class Between>
  Presented present(const Examples<Rows>& examples, const Order& order, Rule rule,
                    std::int64_t start, std::int64_t stop, Between&& pause) const {
    const auto& [weights, observer, rounds] = plain;
    std::int64_t mistakes = 0;
    for (std::int64_t t = start; t < stop; ++t) {
      const std::int64_t i = worst_mistake(examples, rule, weights, sides, pause);
      if (i < 0) {
        stop = order.size();
        break;
      }
      observer.tell_mistake(*rounds + t, i, examples.rows, weights.w);
      update(examples.rows, i, examples.push[i], weights.w, examples.bias);
      *weights.norm = norm_after_update(*weights.norm, examples.push[i], examples.norms[i]);
      ++mistakes;
    }
    if (stop == order.size()) *rounds += stop;
    return {mistakes, stop};
  }

  template <class Rows, class Between>
  int end_epoch(const Examples<Rows>& examples, Rule rule, std::int64_t mistakes,
                Between&& pause) const {
    return plain.end_epoch(examples, rule, mistakes, pause);
  }
};

}  // namespace novikoff
