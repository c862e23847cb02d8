// The perceptron on a stream: one example a call, what it learned and its account in flat arrays.
//
// The mistake is decided and the weights are pushed exactly as in a run on all the data, so the bits
// are those of `partial_fit`. W holds ŵ in its first row. A second row is Σ t·η·y·x̂ over the mistakes
// for the average (averaged.hpp), or the weights in the pocket (pocket.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "epochs.hpp"

namespace novikoff {

// The numbers are those of `learners/online.py`, and so are all places below.
//
// What came of an example. TRIAL_DUE: right, and the weights at work have run longer than those in
// the pocket. Below 0 nothing was learned, but for OUTGROWN: the weights are beyond float64.
enum Came : int {
  RIGHT = 0, MISTAKE = 1, TRIAL_DUE = 2, NOT_FINITE = -10, WRONG_WIDTH = -11, GREW_OUT = -12,
  LARGE = -13
};

// Whether all numbers of a row are finite.
template <class Rows>
bool is_usable(const Rows& rows, std::int64_t i) {
  if (rows.sqnorm(i) < SAFE_HIGH) return true;
  bool is_finite = true;
  rows.each(i, [&](std::int64_t, double x) { is_finite = is_finite && std::isfinite(x); });
  return is_finite;
}

class Stream {
 public:
  // Places in `numbers`: upper bounds on ‖ŵ‖, on R = max ‖x̂‖, on how far all roundings together have
  // moved ŵ, and on the norm of the weights in the pocket; then the options η, the tie rule as a
  // sign, and the bias (0 or 1).
  enum Number { NORM, RADIUS, DRIFT, KEPT_NORM, ETA, TIE, BIAS, NUMBERS };

  // Places in `counts`: examples, mistakes, mistakes among the last ones; mistakes since the bound on
  // ‖ŵ‖ was computed anew; which learner it is. For the pocket: correct answers in a row of the
  // weights at work and of those kept, how the weights at work have fared, how often it changed,
  // whether a window is kept to try weights on (then the runs are those just now). Behind them a ring
  // remembers which of the last examples were mistakes.
  enum Count {
    EXAMPLES, MISTAKES, RECENT, SINCE, KIND, RUN, KEPT_RUN, TRIAL, CHANGES, HAS_RATCHET, RING
  };
  enum Kind { PLAIN, AVERAGED, POCKET };
  enum Trial { PENDING, REJECTED, KEPT };

  Stream(double* W, std::int64_t d, double* numbers, std::int64_t* counts, std::int64_t window)
      : w_(W), second_(W + d + 1), size_(d + 1), numbers_(numbers), counts_(counts),
        window_(window) {}

  // Present one example: learn from it if it is a mistake, and keep the account.
  template <class Rows>
  int present(const Rows& rows, std::int64_t i, double sign) {
    if (!is_usable(rows, i)) return NOT_FINITE;
    double* const numbers = numbers_;
    const std::int64_t kind = counts_[KIND];
    const double norm = row_norm(rows, i, numbers[BIAS]), bound = norm * numbers[NORM];
    const double error = error_bound(rows.entries(i), bound);
    const double side = signed_score(rows, i, sign, w_);
    const bool wrong =
        side < -error || (!(side > error) && is_mistake(rows, i, sign, w_, bound, rule()));
    int came = RIGHT;
    if (wrong) {
      const double push = numbers[ETA] * sign;
      update(rows, i, push, w_, numbers[BIAS]);
      if (kind == AVERAGED)
        update(rows, i, push * double(counts_[EXAMPLES]), second_, numbers[BIAS]);
      keep_bounds(push, norm);
      came = std::isfinite(numbers[NORM]) ? MISTAKE : GREW_OUT;
    }
    if (kind == POCKET) {
      if (counts_[HAS_RATCHET]) test_pocket(rows, i, sign, norm * numbers[KEPT_NORM]);
      if (!wrong) came = run_on();
    }
    numbers[RADIUS] = std::max(numbers[RADIUS], norm);
    count(wrong);
    return came;
  }

  // Whether the weights at work misclassify fewer of n examples than those in the pocket.
  template <class Rows, class Between>
  bool has_fewer_errors(const Rows& rows, const double* signs, std::int64_t n,
                        Between&& pause) const {
    const std::int64_t kept = errors_up_to(rows, signs, n, second_, n, pause);
    return kept > 0 && errors_up_to(rows, signs, n, w_, kept, pause) < kept;
  }

  // Count examples that are known to have been right, without seeing them again.
  void pass_over_right_ones(std::int64_t examples) {
    for (std::int64_t k = std::min(examples, window_); k > 0; --k) {
      remember(false);
      ++counts_[EXAMPLES];
    }
    counts_[EXAMPLES] += std::max<std::int64_t>(0, examples - window_);
  }

 private:
  // Mistakes after which the bound on ‖ŵ‖, which only grows, is computed anew.
  static constexpr std::int64_t TIGHTEN_EVERY = 64;

  Rule rule() const { return {int(numbers_[TIE] > 0.0) - int(numbers_[TIE] < 0.0), 0.0}; }

  // After an update: bounds on ‖ŵ‖ and on what all roundings have added to it.
  //
  // Each weight was rounded as w_j + (push·x_j), so this update moved ŵ by at most
  // u(‖ŵ‖ + |push|·‖x̂‖) from where it should be, ŵ being the new one.
  void keep_bounds(double push, double norm) {
    numbers_[NORM] = norm_after_update(numbers_[NORM], push, norm);
    if (++counts_[SINCE] >= TIGHTEN_EVERY) {
      counts_[SINCE] = 0;
      numbers_[NORM] = std::min(numbers_[NORM], norm_bound(w_, size_));
    }
    constexpr double STEP = 1.0 + 8 * UNIT;
    const double moved = UNIT * (numbers_[NORM] + std::abs(push) * norm) * STEP + TINY;
    numbers_[DRIFT] = (numbers_[DRIFT] + moved) * STEP;
  }

  // On a stream whose plane may turn, the run to beat is the one that the pocket has just now.
  template <class Rows>
  void test_pocket(const Rows& rows, std::int64_t i, double sign, double bound) {
    if (is_mistake(rows, i, sign, second_, bound, rule()))
      counts_[KEPT_RUN] = 0;
    else
      ++counts_[KEPT_RUN];
  }

  // The weights at work were right once more: does their run call for a trial?
  int run_on() {
    ++counts_[RUN];
    if (counts_[TRIAL] == KEPT) {
      counts_[KEPT_RUN] = std::max(counts_[KEPT_RUN], counts_[RUN]);
      return RIGHT;
    }
    return counts_[TRIAL] == PENDING && counts_[RUN] > counts_[KEPT_RUN] ? TRIAL_DUE : RIGHT;
  }

  // Count an example, and whether it was a mistake, in all and among the last ones.
  void count(bool wrong) {
    if (window_ > 0) remember(wrong);
    ++counts_[EXAMPLES];
    if (!wrong) return;
    ++counts_[MISTAKES];
    counts_[RUN] = 0;
    counts_[TRIAL] = PENDING;
  }

  void remember(bool wrong) {
    std::int64_t& place = counts_[RING + counts_[EXAMPLES] % window_];
    counts_[RECENT] += std::int64_t(wrong) - std::int64_t(place != 0);
    place = wrong;
  }

  // How many of these examples the weights misclassify; once there are `most`, it is enough.
  template <class Rows, class Between>
  std::int64_t errors_up_to(const Rows& rows, const double* signs, std::int64_t n,
                            const double* w, std::int64_t most, Between&& pause) const {
    const double w_norm = norm_bound(w, size_), reach = numbers_[RADIUS] * w_norm;
    std::int64_t errors = 0;
    Pace pace(pause);
    for (std::int64_t i = 0; i < n; ++i) {
      pace(rows.entries(i));
      const double side = signed_score(rows, i, signs[i], w);
      const double error = error_bound(rows.entries(i), reach);
      if (side > error) continue;
      const bool wrong = side < -error || is_mistake(rows, i, signs[i], w,
                                                     row_norm(rows, i, numbers_[BIAS]) * w_norm,
                                                     rule());
      if (wrong && ++errors == most) break;
    }
    return errors;
  }

  double *w_, *second_;
  std::int64_t size_;
  double* numbers_;
  std::int64_t *counts_, window_;
};

// The sign of x · w + b, exactly; w_norm ≥ ‖ŵ‖. NOT_FINITE for a bad x.
template <class Rows>
int sign_of(const Rows& rows, const double* w, double w_norm) {
  if (!is_usable(rows, 0)) return NOT_FINITE;
  return score_sign(rows, 0, w, row_norm(rows, 0, 1.0) * w_norm, 0.0);
}

}  // namespace novikoff
