// One pass over the rows: the most violated ones, and proven bounds on the least scores.
//
// Of equal scores the earlier row is the lesser one: so it does not matter where parts of the data
// begin, and the answers of parts can be put together.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "pace.hpp"
#include "scores.hpp"

namespace novikoff {

// A score y·x̂·ŵ as computed, and its row.
struct ScoredRow {
  double score;
  std::int64_t row;

  bool operator<(const ScoredRow& other) const {
    return score < other.score || (score == other.score && row < other.row);
  }
};

// What is known of the scores of a class: the least of them, sorted, and two bounds on the least
// true one that hold without rounding: from below and from above.
struct LeastScores {
  std::vector<ScoredRow> found;
  double lowest = std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();

  // Keep a row if it is among the least; `found` is a heap with the greatest on top.
  void add(ScoredRow scored, std::size_t keep) {
    if (found.size() < keep) {
      found.push_back(scored);
      std::push_heap(found.begin(), found.end());
    } else if (scored < found.front()) {
      std::pop_heap(found.begin(), found.end());
      found.back() = scored;
      std::push_heap(found.begin(), found.end());
    }
  }
};

// The `keep` least scores of the rows of each class: class 0 is −1, class 1 is +1.
template <class Rows, class Between>
void least_scores(const Rows& rows, const std::int8_t* y, std::int64_t n, const double* w_hat,
                  std::size_t keep, ScoreError error_of, LeastScores (&classes)[2], Between& pause) {
  constexpr double UNIT = 0x1p-53, INFINITE = std::numeric_limits<double>::infinity();
  Pace pace(pause);
  for (std::int64_t i = 0; i < n; ++i) {
    pace(rows.entries(i));
    const Score computed = score_and_size(rows, i, w_hat);
    const double error = error_of(rows.entries(i), computed.size);
    double score = computed.value * double(y[i]), low = score - error, high = score + error;
    // An overflow proves nothing.
    if (!std::isfinite(computed.size)) score = 0.0, low = -INFINITE, high = INFINITE;
    LeastScores& its_class = classes[y[i] > 0];
    its_class.lowest = std::min(its_class.lowest, low - std::abs(low) * UNIT);
    its_class.highest = std::min(its_class.highest, high + std::abs(high) * UNIT);
    its_class.add({score, i}, keep);
  }
  for (LeastScores& its_class : classes) std::sort_heap(its_class.found.begin(), its_class.found.end());
}

}  // namespace novikoff
