// The voted perceptron (Freund and Schapire 1999): every ŵ the perceptron had votes on each point.
//
// A ŵ that survived c rounds has c votes, so that good weights outvote the last ones. The list of all
// ŵ is never stored: ŵ_k is ŵ_{k−1} plus the push of the k-th mistake, so the rows mistaken, in
// order, and the survival counts are all there is to keep; voting replays them.
//
// Y. Freund and R. E. Schapire, "Large margin classification using the perceptron algorithm",
// Machine Learning 37, 1999.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "epochs.hpp"

namespace novikoff {

// Row and push of each mistake, with room for more, and how many rounds each ŵ lived. There is one
// more ŵ than mistakes: the first is zero.
template <class Whole, class Real>
struct HistoryOf {
  Whole* mistaken;
  Real* push;
  Whole* survived;
  Whole* size;
  std::int64_t room;
};

using History = HistoryOf<std::int64_t, double>;
// Voting only reads, and the arrays of an estimator may be read-only.
using PastHistory = HistoryOf<const std::int64_t, const double>;

struct Voted {
  Weights weights;
  History history;
  std::int64_t max_mistakes;
  bool is_full = false;

  // An epoch waits unless its mistakes fit, or there may be no more room.
  template <class Rows, class Between>
  int begin_epoch(const Examples<Rows>&, const Order& order, Between&&) const {
    const bool fits = history.room - *history.size >= order.size() || history.room >= max_mistakes;
    return fits ? GO_ON : PAUSED;
  }

  // The epoch ends at a mistake for which there is no room: then the history is full.
  template <class Rows, class Between>
  Presented present(const Examples<Rows>& examples, const Order& order, Rule rule,
                    std::int64_t start, std::int64_t stop, Between&&) {
    const Rows& rows = examples.rows;
    const double *push = examples.push, *norms = examples.norms;
    double *w = weights.w, norm = *weights.norm;
    std::int64_t size = *history.size, mistakes = 0;
    for (std::int64_t t = start; t < stop; ++t) {
      order.fetch_ahead(examples, t, stop);
      const std::int64_t i = order[t];
      const double bound = norms[i] * norm;
      if (!surely_right(rows, i, push[i], w, bound) &&
          is_mistake(rows, i, push[i], w, bound, rule)) {
        if (size == history.room) {
          is_full = true;
          stop = order.size();
          break;
        }
        update(rows, i, push[i], w, examples.bias);
        norm = norm_after_update(norm, push[i], norms[i]);
        history.mistaken[size] = i;
        history.push[size] = push[i];
        history.survived[++size] = 0;
        ++mistakes;
      }
      ++history.survived[size];
    }
    *weights.norm = norm;
    *history.size = size;
    return {mistakes, stop};
  }

  template <class Rows, class Between>
  int end_epoch(const Examples<Rows>&, Rule, std::int64_t mistakes, Between&&) const {
    if (is_full) return FULL;
    // The bound on ‖ŵ‖ only grows with mistakes; the norm itself may not.
    *weights.norm = std::min(*weights.norm, norm_bound(weights.w, weights.size));
    return mistakes == 0 ? CONVERGED : GO_ON;
  }
};

// How many points vote together while the history is replayed once.
constexpr std::int64_t POINTS_TOGETHER = 256;

// For each of n points the votes for +1 minus those for −1; a score of 0 votes as it predicts.
//
// replay(k, w) pushes the weights by the k-th mistake. `norms` bounds those of the points.
template <class Rows, class Replay, class Between>
void votes(const Rows& points, const double* norms, std::int64_t n, const PastHistory& history,
           int tie, Replay&& replay, double* result, Between&& pause) {
  const double at_zero = tie < 0 ? -1.0 : 1.0;
  const std::int64_t d = points.n_features();
  std::vector<double> room(std::size_t(d) + 1);
  double* const w = room.data();
  std::fill(result, result + n, 0.0);
  Pace pace(pause);
  for (std::int64_t first = 0; first < n; first += POINTS_TOGETHER) {
    const std::int64_t last = std::min(n, first + POINTS_TOGETHER);
    std::fill(room.begin(), room.end(), 0.0);
    for (std::int64_t k = 0; k <= *history.size; ++k) {
      if (k > 0) replay(k - 1, w);
      pace(d);
      if (history.survived[k] == 0) continue;
      const double lived = double(history.survived[k]), w_norm = norm_bound(w, d + 1);
      for (std::int64_t i = first; i < last; ++i) {
        const int sign = score_sign(points, i, w, norms[i] * w_norm, 0.0);
        result[i] += lived * (sign == 0 ? at_zero : double(sign));
        pace(points.entries(i));
      }
    }
  }
}

}  // namespace novikoff
