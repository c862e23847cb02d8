// The averaged perceptron (Freund and Schapire 1999; Collins 2002): the mean of ŵ over all rounds.
//
// The perceptron runs as ever. The sum of the weights after each of T rounds is T·ŵ − Σ t·η·y·x̂ over
// its mistakes, t being the number of rounds before: one more addition a mistake, and none for a
// round without one (the lazy counter of Daumé III).
#pragma once

#include <algorithm>
#include <cstdint>

#include "epochs.hpp"

namespace novikoff {

// ŵ, Σ t·η·y·x̂ over its mistakes, and the number of rounds so far.
struct Averaged {
  Weights weights;
  double* delayed;
  std::int64_t* rounds;

  template <class Rows, class Between>
  int begin_epoch(const Examples<Rows>&, const Order&, Between&&) const {
    return GO_ON;
  }

  template <class Rows, class Between>
  Presented present(const Examples<Rows>& examples, const Order& order, Rule rule,
                    std::int64_t start, std::int64_t stop, Between&&) const {
    const Rows& rows = examples.rows;
    const double *push = examples.push, *norms = examples.norms, *w = weights.w;
    std::int64_t mistakes = 0;
    for (std::int64_t t = start; t < stop; ++t) {
      order.fetch_ahead(examples, t, stop);
      const std::int64_t i = order[t];
      const double bound = norms[i] * *weights.norm;
      if (surely_right(rows, i, push[i], w, bound)) continue;
      if (!is_mistake(rows, i, push[i], w, bound, rule)) continue;
      learn(examples, t, i);
      ++mistakes;
    }
    if (stop == order.size()) *rounds += stop;
    return {mistakes, stop};
  }

  // The mistake at position t of this epoch, on example i.
  template <class Rows>
  void learn(const Examples<Rows>& examples, std::int64_t t, std::int64_t i) const {
    const double push = examples.push[i], bias = examples.bias;
    update(examples.rows, i, push, weights.w, bias);
    update(examples.rows, i, push * double(*rounds + t), delayed, bias);
    *weights.norm = norm_after_update(*weights.norm, push, examples.norms[i]);
  }

  template <class Rows, class Between>
  int end_epoch(const Examples<Rows>&, Rule, std::int64_t mistakes, Between&&) const {
    // The bound on ‖ŵ‖ only grows with mistakes; the norm itself may not.
    *weights.norm = std::min(*weights.norm, norm_bound(weights.w, weights.size));
    return mistakes == 0 ? CONVERGED : GO_ON;
  }
};

}  // namespace novikoff
