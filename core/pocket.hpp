// The pocket algorithm (Gallant 1990): find ŵ that misclassifies as few examples as possible.
//
// The perceptron runs as ever, and the weights with the longest run of correct answers are kept in
// the pocket: good weights survive longer. With the ratchet they are exchanged only for weights with
// fewer errors on all the data, so the pocket never gets worse; drawn at random, long enough, it
// holds an optimal ŵ with probability as close to 1 as you like.
//
// S. I. Gallant, "Perceptron-based learning algorithms", IEEE Transactions on Neural Networks 1,
// 1990.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

#include "epochs.hpp"

namespace novikoff {

// The sum of η over misclassified examples, and how many were counted.
struct Loss {
  double sum;
  std::int64_t errors;
};

// `loss` and η of each example that the weights misclassify; adding up ends at `limit`.
template <class Rows, class Between>
Loss loss_on(const Examples<Rows>& examples, Rule rule, const Weights& weights, double loss,
             double limit, Between&& pause) {
  const Rows& rows = examples.rows;
  const double *push = examples.push, *norms = examples.norms;
  const double *w = weights.w, norm = *weights.norm;
  const double error = error_bound(examples.entries, examples.radius * norm);
  const std::int64_t block = examples_per_block(examples);
  std::int64_t errors = 0;
  for (std::int64_t first = 0; first < examples.n; first += block) {
    const std::int64_t last = std::min(examples.n, first + block);
    for (std::int64_t i = first; i < last; ++i) {
      const double side = signed_score(rows, i, push[i], w);  // off by `error` at most
      if (side > error || push[i] == 0.0) continue;
      if (!(side < -error) && !is_mistake(rows, i, push[i], w, norms[i] * norm, rule)) continue;
      ++errors;
      loss += std::abs(push[i]);
      if (loss >= limit) return {loss, errors};
    }
    pause();
  }
  return {loss, errors};
}

// The weights kept and those at work, and their runs.
//
// `loss` is that of the weights kept: the sum of η over their errors, which counts the errors where
// all examples weigh the same. It is −1 where not all the data is there to count.
class Pocket {
 public:
  // Places in the tally: correct answers in a row of the weights at work and of those kept, how the
  // weights at work have fared in their trial, and how often the pocket changed.
  enum Place { RUN, KEPT_RUN, TRIAL, CHANGES };
  enum Trial { PENDING, REJECTED, KEPT };

  Pocket(Weights kept, Weights working, double* loss, std::int64_t* tally,
         std::int64_t* run_lengths, std::int64_t room, bool ratchet)
      : kept_(kept), working_(working), loss_(loss), tally_(tally), run_lengths_(run_lengths),
        room_(room), ratchet_(ratchet) {}

  template <class Rows, class Between>
  int begin_epoch(const Examples<Rows>&, const Order&, Between&&) const {
    return GO_ON;
  }

  // The epoch ends where the pocket makes no error.
  template <class Rows, class Between>
  Presented present(const Examples<Rows>& examples, const Order& order, Rule rule,
                    std::int64_t start, std::int64_t stop, Between&& pause) {
    bool is_perfect = false;
    const Presented part = present_until(examples, order, rule, start, stop, [&] {
      if (trial_is_due()) hold_trial(examples, rule, pause);
      return is_perfect = *loss_ == 0.0;
    });
    return {part.mistakes, is_perfect ? order.size() : stop};
  }

  template <class Rows, class Between>
  int end_epoch(const Examples<Rows>& examples, Rule rule, std::int64_t mistakes,
                Between&& pause) {
    // However short their run: weights without an error are as good as any can be.
    if (mistakes == 0 && *loss_ > 0.0 && loss_of(working_, examples, rule, NO_LIMIT, pause) == 0.0) {
      if (tally_[TRIAL] != KEPT) keep();
      *loss_ = 0.0;
    }
    if (*loss_ == 0.0) return CONVERGED;
    *working_.norm = std::min(*working_.norm, norm_bound(working_.w, working_.size));
    return GO_ON;
  }

  // The same up to an answer that makes a trial due, which the caller holds: for data that is not all
  // at hand. What `present` returns, and whether a trial is due.
  template <class Rows, class Between>
  std::pair<Presented, bool> until_trial(const Examples<Rows>& examples, const Order& order,
                                         Rule rule, std::int64_t start, Between&& pause) {
    const std::int64_t block = examples_per_block(examples), n = order.size();
    Presented all{0, start};
    bool is_due = false;
    while (all.reached < n && !is_due) {
      const std::int64_t stop = std::min(n, all.reached + block);
      const Presented part = present_until(examples, order, rule, all.reached, stop,
                                           [&] { return is_due = trial_is_due(); });
      all = {all.mistakes + part.mistakes, part.reached};
      pause();
    }
    return {all, is_due};
  }

 private:
  static constexpr double NO_LIMIT = std::numeric_limits<double>::infinity();

  // Present examples, up to one where the weights at work have run longer than those kept, and
  // longer() says that it is enough.
  template <class Rows, class Longer>
  Presented present_until(const Examples<Rows>& examples, const Order& order, Rule rule,
                          std::int64_t start, std::int64_t stop, Longer&& longer) {
    const Rows& rows = examples.rows;
    const double *push = examples.push, *norms = examples.norms;
    double *w = working_.w, norm = *working_.norm;
    std::int64_t mistakes = 0;
    for (std::int64_t t = start; t < stop; ++t) {
      order.fetch_ahead(examples, t, stop);
      const std::int64_t i = order[t];
      const double bound = norms[i] * norm;
      if (surely_right(rows, i, push[i], w, bound) ||
          !is_mistake(rows, i, push[i], w, bound, rule)) {
        if (++tally_[RUN] > tally_[KEPT_RUN] && longer()) return {mistakes, t + 1};
        continue;
      }
      update(rows, i, push[i], w, examples.bias);
      *working_.norm = norm = norm_after_update(norm, push[i], norms[i]);
      tally_[RUN] = 0;
      tally_[TRIAL] = PENDING;
      ++mistakes;
    }
    return {mistakes, stop};
  }

  // The weights at work have run longer than those kept: whether they are to be tried. If they are
  // in the pocket already, they go on running.
  bool trial_is_due() {
    if (tally_[TRIAL] == KEPT) {
      tally_[KEPT_RUN] = tally_[RUN];
      run_lengths_[tally_[CHANGES] - 1] = tally_[RUN];
    }
    return tally_[TRIAL] == PENDING;
  }

  // Exchange the weights in the pocket for those at work, if the ratchet agrees.
  template <class Rows, class Between>
  void hold_trial(const Examples<Rows>& examples, Rule rule, Between&& pause) {
    tally_[TRIAL] = REJECTED;
    double loss = *loss_;
    if (ratchet_) {
      loss = loss_of(working_, examples, rule, loss, pause);
      if (!(loss < *loss_)) return;
    }
    keep();
    *loss_ = loss;
  }

  template <class Rows, class Between>
  static double loss_of(const Weights& weights, const Examples<Rows>& examples, Rule rule,
                        double limit, Between&& pause) {
    return loss_on(examples, rule, weights, 0.0, limit, pause).sum;
  }

  // Put the weights at work into the pocket.
  void keep() {
    if (tally_[CHANGES] >= room_) throw std::length_error("there is no room for another run length.");
    std::copy(working_.w, working_.w + working_.size, kept_.w);
    *kept_.norm = *working_.norm;
    tally_[KEPT_RUN] = tally_[RUN];
    run_lengths_[tally_[CHANGES]++] = tally_[RUN];
    tally_[TRIAL] = KEPT;
  }

  Weights kept_, working_;
  double* loss_;
  std::int64_t *tally_, *run_lengths_, room_;
  bool ratchet_;
};

}  // namespace novikoff
