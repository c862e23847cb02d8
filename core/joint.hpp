// The multiclass perceptron: one ŵ a class, and the true class must score more than every other.
//
// Kessler's construction (Nilsson 1965) turns "ŵ_y·x̂ > ŵ_r·x̂ for all r ≠ y" into a binary problem of
// differences. On a mistake the best of the other classes is pushed away from x̂, and the true one
// towards it: an ultraconservative update (Crammer and Singer, "Ultraconservative online algorithms
// for multiclass problems", JMLR 3, 2003). The result is the average over all rounds.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "epochs.hpp"

namespace novikoff {

// Each row's class, one ŵ a class (a row of W and of `delayed`) with a bound on its norm, and the
// number of rounds so far.
struct Joint {
  const std::int64_t* labels;
  double *W, *norms, *delayed;
  std::int64_t *rounds, classes, size;

  template <class Rows, class Between>
  int begin_epoch(const Examples<Rows>&, const Order&, Between&&) const {
    return GO_ON;
  }

  template <class Rows, class Between>
  Presented present(const Examples<Rows>& examples, const Order& order, Rule rule,
                    std::int64_t start, std::int64_t stop, Between&& pause) const {
    const double* push = examples.push;
    const std::int64_t before = *rounds, block = rows_per_block(examples);
    std::int64_t mistakes = 0;
    for (std::int64_t t = start; t < stop; ++t) {
      const std::int64_t i = order[t], rival = rival_of(examples, i, rule);
      if (rival >= 0) {
        push_class(examples, i, push[i], before + t, labels[i]);
        push_class(examples, i, -push[i], before + t, rival);
        ++mistakes;
      }
      if (t % block == 0) pause();
    }
    if (stop == order.size()) *rounds += stop;
    return {mistakes, stop};
  }

  template <class Rows, class Between>
  int end_epoch(const Examples<Rows>&, Rule, std::int64_t mistakes, Between&&) const {
    for (std::int64_t k = 0; k < classes; ++k)
      norms[k] = std::min(norms[k], norm_bound(W + k * size, size));
    return mistakes == 0 ? CONVERGED : GO_ON;
  }

  // How many of the presented examples are misclassified, without learning from them.
  template <class Rows, class Between>
  std::int64_t errors(const Examples<Rows>& examples, Rule rule, Between&& pause) const {
    const std::int64_t block = rows_per_block(examples);
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < examples.n; ++i) {
      wrong += examples.push[i] != 0.0 && rival_of(examples, i, rule) >= 0;
      if (i % block == 0) pause();
    }
    return wrong;
  }

 private:
  template <class Rows>
  std::int64_t rows_per_block(const Examples<Rows>& examples) const {
    return std::max<std::int64_t>(1, examples_per_block(examples) / classes);
  }

  // The sign of u·x̂_i − v·x̂_i, given both scores and bound ≥ ‖x̂_i‖·(‖u‖ + ‖v‖).
  template <class Rows>
  static int comparison(const Rows& rows, std::int64_t i, const double* u, double u_score,
                        const double* v, double v_score, double bound, Rule rule) {
    const double difference = u_score - v_score;
    // One more rounding than a score has.
    const double error = error_bound(rows.entries(i) + 1, bound);
    if (difference > error) return 1;
    if (difference < -error) return -1;
    if (bound < rule.exact_below) return int(difference > 0.0) - int(difference < 0.0);
    return exact_comparison(rows, i, u, v);
  }

  // The best other class (of equals, the first) if it makes row i a mistake, or −1.
  template <class Rows>
  std::int64_t rival_of(const Examples<Rows>& examples, std::int64_t i, Rule rule) const {
    const Rows& rows = examples.rows;
    const std::int64_t y = labels[i];
    const double x_norm = examples.norms[i];
    const auto score = [&](std::int64_t k) {
      const double* w = W + k * size;
      return rows.dot(i, w) + w[size - 1];
    };
    std::int64_t rival = y == 0 ? 1 : 0;
    double best = score(rival);
    for (std::int64_t r = rival + 1; r < classes; ++r) {
      if (r == y) continue;
      const double other = score(r), bound = x_norm * (norms[r] + norms[rival]);
      if (comparison(rows, i, W + r * size, other, W + rival * size, best, bound, rule) <= 0)
        continue;
      rival = r;
      best = other;
    }
    const double bound = x_norm * (norms[y] + norms[rival]);
    const int side =
        comparison(rows, i, W + y * size, score(y), W + rival * size, best, bound, rule);
    return side < 0 || (side == 0 && rule.tie <= 0) ? rival : -1;
  }

  // ŵ_k ← ŵ_k + step·x̂_i, with what the average has to know.
  template <class Rows>
  void push_class(const Examples<Rows>& examples, std::int64_t i, double step, std::int64_t delay,
                  std::int64_t k) const {
    update(examples.rows, i, step, W + k * size, examples.bias);
    update(examples.rows, i, step * double(delay), delayed + k * size, examples.bias);
    norms[k] = (norms[k] + std::abs(step) * examples.norms[i]) * INFLATE + TINY;
  }
};

}  // namespace novikoff
