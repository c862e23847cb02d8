// The perceptron (Rosenblatt 1958): find ŵ with yᵢ ŵ·x̂ᵢ > 0 for all i, one mistake at a time.
//
// On a mistake, w ← w + η·y·x and b ← b + η·y. If a separator of augmented margin γ exists, at most
// R²/γ² mistakes are made, in any order (Novikoff 1962); if none exists, the run never stops.
#pragma once

#include <algorithm>
#include <cstdint>

#include "epochs.hpp"
#include "observer.hpp"

namespace novikoff {

// The weights, whoever watches them, and the number of rounds before this epoch.
struct Perceptron {
  Weights weights;
  Observer observer;
  std::int64_t* rounds;

  template <class Rows, class Between>
  int begin_epoch(const Examples<Rows>& examples, const Order&, Between&&) const {
    return observer.reason_to_wait(examples.n, examples.unit, weights);
  }

  template <class Rows, class Between>
  Presented present(const Examples<Rows>& examples, const Order& order, Rule rule,
                    std::int64_t start, std::int64_t stop, Between&&) const {
    const Rows& rows = examples.rows;
    const double *push = examples.push, *norms = examples.norms, R = examples.radius;
    const double *w = weights.w, *norm = weights.norm;
    double error = error_bound(examples.entries, R * *norm);
    std::int64_t mistakes = 0;
    for (std::int64_t t = start; t < stop; ++t) {
      order.fetch_ahead(examples, t, stop);
      const std::int64_t i = order[t];
      const double side = signed_score(rows, i, push[i], w);  // yᵢ ŵ·x̂ᵢ, off by `error` at most
      if (side > error) continue;
      // In doubt (and where the product overflowed) the sign is decided exactly.
      if (side < -error || is_mistake(rows, i, push[i], w, norms[i] * *norm, rule)) {
        learn(examples, t, i);
        ++mistakes;
        error = error_bound(examples.entries, R * *norm);
      }
    }
    if (stop == order.size()) *rounds += stop;
    return {mistakes, stop};
  }

  // The mistake at position t of this epoch, on example i: w ← w + η·y·x and b ← b + η·y.
  template <class Rows>
  void learn(const Examples<Rows>& examples, std::int64_t t, std::int64_t i) const {
    const Rows& rows = examples.rows;
    const double push = examples.push[i], bias = examples.bias;
    observer.tell_mistake(*rounds + t, i, rows, weights.w);
    update(rows, i, push, weights.w, bias);
    // ‖ŵ‖ is bounded as the proof does it. The row is at hand; `norms[i]` would be fetched.
    *weights.norm = norm_after_update(*weights.norm, push, row_norm(rows, i, bias));
  }

  // After an epoch: why no other is needed, or GO_ON.
  template <class Rows, class Between>
  int end_epoch(const Examples<Rows>&, Rule, std::int64_t mistakes, Between&&) const {
    return end_epoch(mistakes);
  }

  int end_epoch(std::int64_t mistakes) const {
    if (mistakes == 0) return CONVERGED;
    const int reason = observer.reason_to_stop(weights);
    // The bound on ‖ŵ‖ only grows with mistakes; the norm itself may not.
    if (reason == GO_ON)
      *weights.norm = std::min(*weights.norm, norm_bound(weights.w, weights.size));
    return reason;
  }
};

// Present the examples from a position of the order on, in blocks; how many were mistaken.
template <class Rows, class Between>
std::int64_t present_from(const Examples<Rows>& examples, const Order& order, int tie,
                          const Perceptron& learner, std::int64_t start, Between&& pause) {
  const Rule rule = examples.rule(tie);
  const std::int64_t block = examples_per_block(examples), n = order.size();
  std::int64_t mistakes = 0;
  for (; start < n; start += block) {
    const std::int64_t stop = std::min(n, start + block);
    mistakes += learner.present(examples, order, rule, start, stop, pause).mistakes;
    pause();
  }
  return mistakes;
}

}  // namespace novikoff
