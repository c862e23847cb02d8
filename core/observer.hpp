// Who watches a run of the perceptron: a journal of its mistakes, a watch for cycles, or nobody.
//
// Cycles are found by Brent's method (1980), on the weights at the end of each epoch. In exact
// arithmetic and cyclic order an epoch is a function of the weights it starts from. If they return,
// everything returns; and the mistakes in between add up to nothing, Σ cᵢ yᵢ x̂ᵢ = 0 with cᵢ ≥ 0: the
// perceptron's own proof that no separator exists.
#pragma once

#include <algorithm>
#include <cstdint>

#include "epochs.hpp"

namespace novikoff {

// Mistakes in the order they were made; `*size` of them are filled in. Without room it records
// nothing.
struct Journal {
  std::int64_t* rounds = nullptr;
  std::int64_t* rows = nullptr;
  double* scores = nullptr;
  std::int64_t* size = nullptr;
  std::int64_t capacity = 0;

  bool has_room(std::int64_t n) const { return capacity == 0 || *size <= capacity - n; }

  // Write down the mistake on row i, before the weights learn from it.
  template <class Rows>
  void record(std::int64_t round, std::int64_t i, const Rows& x, const double* w) const {
    const std::int64_t at = (*size)++;
    rounds[at] = round;
    rows[at] = i;
    scores[at] = exact_score(x, i, w);
  }
};

// The saved weights, the mistakes on each row since, and how far to go before saving again.
//
// `growth` bounds what one epoch can add to ‖ŵ‖² (the second inequality of the proof); it is
// negative where nothing is exact. Without saved weights an epoch is not a function of the weights it
// starts from, and only their growth is watched.
struct CycleWatch {
  double* saved = nullptr;
  std::int64_t* counts = nullptr;
  std::int64_t n_counts = 0;
  std::int64_t* lap = nullptr;
  std::int64_t* power = nullptr;
  double growth = -1.0;

  // Whether one more epoch could round a weight that has been exact so far.
  bool may_round(double unit, const Weights& weights) const {
    const double limit = unit * LARGEST_EXACT, norm = *weights.norm;
    return growth >= 0.0 && norm * norm + growth >= limit * limit;
  }

  // After each epoch: are these the saved weights? If not, save anew at each power of 2.
  bool has_cycled(const Weights& weights) const {
    if (saved == nullptr) return false;
    if (std::equal(saved, saved + weights.size, weights.w)) return true;
    if (++*lap == *power) {
      std::copy_n(weights.w, weights.size, saved);
      std::fill_n(counts, n_counts, 0);
      *lap = 0;
      *power *= 2;
    }
    return false;
  }
};

struct Observer {
  Journal journal;
  CycleWatch watch;

  bool is_nobody() const { return journal.capacity == 0 && !(watch.growth >= 0.0); }

  // Row i is a mistake in this round, and the weights are about to learn from it.
  template <class Rows>
  void tell_mistake(std::int64_t round, std::int64_t i, const Rows& rows, const double* w) const {
    if (journal.capacity > 0) journal.record(round, i, rows, w);
    if (watch.n_counts > 0) ++watch.counts[i];
  }

  // Before an epoch with up to n mistakes: why it must not begin, or GO_ON.
  int reason_to_wait(std::int64_t n, double unit, const Weights& weights) const {
    if (!journal.has_room(n)) return PAUSED;
    return watch.may_round(unit, weights) ? OUTGROWN : GO_ON;
  }

  // After an epoch with mistakes: why no other is needed, or GO_ON.
  int reason_to_stop(const Weights& weights) const {
    return watch.has_cycled(weights) ? CYCLED : GO_ON;
  }
};

}  // namespace novikoff
