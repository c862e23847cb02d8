// The kernel perceptron (Aizerman, Braverman and Rozonoer 1964): a ŵ that is never written down.
//
// In the space of a kernel k, ŵ = Σ cⱼ ψ(xⱼ) over the rows that were mistaken, and the score of x is
// Σ cⱼ k(xⱼ, x). The scores of all rows are kept up to date, so that a round costs O(1) and a mistake
// one row of the Gram matrix. A bias adds 1 to the kernel: x̂ = (ψ(x), 1).
//
// A score is the float64 sum of float64 kernel values, in the order of the mistakes: exact where all
// of them are integers. With the linear kernel ŵ *is* written down as well, and decides where
// rounding could have changed the sign of a score: the mistakes are exactly those of the perceptron.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "epochs.hpp"

namespace novikoff {

// Every score after ŵ ← ŵ + step·x̂, given the row of the Gram matrix that belongs to x.
template <class Between>
void add_row(double* scores, double step, const double* row, double bias, std::int64_t n,
             Between&& pause) {
  for (std::int64_t first = 0; first < n; first += WORK_PER_BLOCK) {
    const std::int64_t last = std::min(n, first + WORK_PER_BLOCK);
    for (std::int64_t j = first; j < last; ++j) scores[j] += step * (row[j] + bias);
    if (last < n) pause();
  }
}

// The rows of the Gram matrix at hand: row i is at slots[i] (−1: not here); `uses` counts its
// mistakes.
struct GramRows {
  const double* values;
  const std::int64_t* slots;
  std::int64_t *uses, capacity;
};

// The coefficients and the scores of all rows, and how many mistakes.
//
// `weights` is ŵ for the linear kernel, and of size 0 for others. `path` bounds ‖ŵ₀‖ + Σ η‖x̂‖, how
// far ŵ has travelled, from which the rounding of a score is known.
struct KernelPerceptron {
  double *coef, *scores;
  Weights weights;
  double* path;
  std::int64_t* mistakes;

  // The first place from `start` on whose row is a mistake; the length of the order if none is.
  template <class Rows, class Between>
  std::int64_t next_mistake(const Examples<Rows>& examples, const Order& order, std::int64_t start,
                            int tie, Between&& pause) const {
    const std::int64_t n = order.size(), block = examples_per_block(examples);
    for (std::int64_t t = start; t < n; pause()) {
      const std::int64_t stop = std::min(n, t + block);
      t = weights.size > 0 ? next_linear(examples, order, t, stop, examples.rule(tie))
                           : next_by_score(examples, order, t, stop, tie);
      if (t < stop) return t;
    }
    return n;
  }

  // How many of the presented examples are misclassified, without learning from them.
  template <class Rows, class Between>
  std::int64_t errors(const Examples<Rows>& examples, int tie, Between&& pause) const {
    const Order as_given(nullptr, examples.n);
    std::int64_t wrong = 0;
    Pace pace(pause);
    for (std::int64_t t = next_mistake(examples, as_given, 0, tie, pause); t < examples.n; ++wrong) {
      t = next_mistake(examples, as_given, t + 1, tie, pause);
      pace(exact_work(examples.entries));
    }
    return wrong;
  }

  // Learn from mistake after mistake; return at one whose Gram row is not at hand.
  template <class Rows, class Between>
  std::int64_t advance(const Examples<Rows>& examples, const Order& order, std::int64_t start,
                       int tie, const GramRows& gram, Between&& pause) {
    std::int64_t t = next_mistake(examples, order, start, tie, pause);
    Pace pace(pause);
    while (t < order.size()) {
      const std::int64_t i = order[t], slot = gram.slots[i];
      if (slot < 0) break;
      if (slot >= gram.capacity) throw std::out_of_range("slots must name rows that are here.");
      learn(examples, i, gram.values + slot * examples.n, pause);
      ++gram.uses[i];
      pace(examples.n + examples.entries);
      t = next_mistake(examples, order, t + 1, tie, pause);
    }
    return t;
  }

 private:
  // By how much, for each unit of ‖x̂‖, a score can differ from that of the perceptron's ŵ.
  //
  // Of M mistakes each rounds the score and ŵ once, and a kernel value d+3 times at most.
  double doubt() const {
    return double(2 * *mistakes + weights.size + 16) * UNIT * INFLATE * *path;
  }

  template <class Rows>
  std::int64_t next_by_score(const Examples<Rows>& examples, const Order& order,
                             std::int64_t start, std::int64_t stop, int tie) const {
    for (std::int64_t t = start; t < stop; ++t) {
      const std::int64_t i = order[t];
      const double push = examples.push[i], y = push > 0.0 ? 1.0 : -1.0, side = y * scores[i];
      if (side > 0.0 || push == 0.0) continue;
      if (side < 0.0 || tie * y <= 0.0) return t;
    }
    return stop;
  }

  // The same, where ŵ is written down and decides what a score leaves in doubt.
  template <class Rows>
  std::int64_t next_linear(const Examples<Rows>& examples, const Order& order, std::int64_t start,
                           std::int64_t stop, Rule rule) const {
    const double unsure = doubt(), *w = weights.w, norm = *weights.norm;
    for (std::int64_t t = start; t < stop; ++t) {
      const std::int64_t i = order[t];
      const double push = examples.push[i], side = push > 0.0 ? scores[i] : -scores[i];
      const double margin = unsure * examples.norms[i] + TINY;
      if (side > margin || push == 0.0) continue;
      if (side < -margin || is_mistake(examples.rows, i, push, w, examples.norms[i] * norm, rule))
        return t;
    }
    return stop;
  }

  template <class Rows, class Between>
  void learn(const Examples<Rows>& examples, std::int64_t i, const double* row, Between&& pause) {
    const double step = examples.push[i];
    add_row(scores, step, row, examples.bias, examples.n, pause);
    coef[i] += step;
    ++*mistakes;
    if (weights.size == 0) return;
    update(examples.rows, i, step, weights.w, examples.bias);
    *weights.norm = norm_after_update(*weights.norm, step, examples.norms[i]);
    *path = (*path + std::abs(step) * examples.norms[i]) * (1.0 + 4 * UNIT);
  }
};

}  // namespace novikoff
