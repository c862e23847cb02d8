// The threshold unit: what it is shown, when it errs, and how it learns.
//
// Every learner is built of is_mistake, update, and the order in which examples are presented.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "pace.hpp"
#include "rows.hpp"
#include "signs.hpp"

namespace novikoff {

// Up to here float64 holds every integer.
constexpr double LARGEST_EXACT = 0x1p53;

// What decides a mistake besides the score: the tie rule as a sign, and up to where sums are exact.
struct Rule {
  int tie;
  double exact_below;
};

// What is presented: rows, the push yᵢ·ηᵢ that each gives on a mistake, and bounds on their norms.
//
// An example of push 0 is never presented. A row names each column once (`matrix/arrays.py` sees to
// it): bounds by norms hold for no others. `bias` is 1 or 0, `radius` is R = max ‖x̂ᵢ‖, `entries` is
// the length of the longest row. `unit` is the power of two of which every number here is a multiple,
// or 0: sums below unit·2⁵³ are exact as they stand.
template <class Rows>
struct Examples {
  const Rows& rows;
  const double* push;
  const double* norms;
  std::int64_t n;
  double bias, unit, radius;
  std::int64_t entries;
  std::int64_t ahead = std::min<std::int64_t>(1024 / (entries + 1), 64);  // see `fetch`

  Rule rule(int tie) const { return {tie, unit * LARGEST_EXACT}; }

  // Ask for an example that is to come `ahead` examples later: memory answers late.
  INLINED void fetch(std::int64_t i) const {
    ask_for(push + i, 1);
    rows.fetch(i);
  }
};

template <class Rows>
std::int64_t examples_per_block(const Examples<Rows>& examples) {
  return times_per_block(examples.entries);
}

// ŵ = (w, b) of `size` numbers, with an upper bound on its norm that every update keeps.
struct Weights {
  double* w;
  double* norm;
  std::int64_t size;
};

// Whether row i is misclassified: y·s < 0, or s = 0 and the tie rule is not in its favour.
template <class Rows>
bool is_mistake(const Rows& rows, std::int64_t i, double push, const double* w, double bound,
                Rule rule) {
  const int y = push > 0.0 ? 1 : -1;
  const int side = y * score_sign(rows, i, w, bound, rule.exact_below);
  return side < 0 || (side == 0 && rule.tie * y <= 0);
}

// w ← w + η·y·x and b ← b + η·y, where push = η·y.
template <class Rows>
void update(const Rows& rows, std::int64_t i, double push, double* w, double bias) {
  rows.axpy(i, push, w);
  w[rows.n_features()] += push * bias;
}

// How many of the presented examples are misclassified, without learning from them.
template <class Rows, class Between>
std::int64_t count_mistakes(const Examples<Rows>& examples, int tie, const Weights& weights,
                            Between&& pause) {
  const Rule rule = examples.rule(tie);
  std::int64_t mistakes = 0;
  in_blocks(examples.n, examples_per_block(examples), pause, [&](std::int64_t i) {
    const double push = examples.push[i], bound = examples.norms[i] * *weights.norm;
    if (push == 0.0 || surely_right(examples.rows, i, push, weights.w, bound)) return;
    mistakes += is_mistake(examples.rows, i, push, weights.w, bound, rule);
  });
  return mistakes;
}

// x_i · w + w[d] of the first n rows, done exactly where rounding could have changed its sign.
template <class Rows, class Between>
void scores(const Rows& rows, std::int64_t n, const double* w, double* result, Between&& pause) {
  const double w_norm = norm_bound(w, rows.n_features() + 1);
  Pace pace(pause);
  for (std::int64_t i = 0; i < n; ++i) {
    result[i] = signed_score(rows, i, 1.0, w);
    const double error = error_bound(rows.entries(i), row_norm(rows, i, 1.0) * w_norm);
    pace(2 * rows.entries(i));
    if (std::abs(result[i]) > error) continue;
    result[i] = exact_score(rows, i, w);
    pace(exact_work(rows.entries(i)));
  }
}

}  // namespace novikoff
