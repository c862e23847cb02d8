// Epoch after epoch, for every learner: the one loop around what it does with examples.
//
// A learner is a class with three functions:
//
//   int begin_epoch(examples, order, pause)
//       gets ready for an epoch; says why it cannot begin, or GO_ON;
//   Presented present(examples, order, rule, start, stop, pause)
//       presents the examples at these positions of the order, and learns from each mistake;
//   int end_epoch(examples, rule, mistakes, pause)
//       says why no other epoch is needed, or GO_ON.
//
// Examples are presented in blocks, and between two blocks Ctrl-C is heard. Where a block ends changes
// no bit of the weights. What takes longer than a block calls pause() itself.
#pragma once

#include <algorithm>
#include <cstdint>

#include "unit.hpp"

namespace novikoff {

// Why a run returned (the numbers are those of `learners/status.py`).
enum Reason : int { GO_ON = -1, PAUSED = 0, CONVERGED = 1, CYCLED = 2, OUTGROWN = 3, FULL = 4 };

// The positions of the examples of an epoch: all of them as they are given, or a list.
class Order {
 public:
  Order(const std::int64_t* positions, std::int64_t size) : positions_(positions), size_(size) {}

  std::int64_t size() const { return size_; }
  std::int64_t operator[](std::int64_t t) const { return positions_ ? positions_[t] : t; }

  // At position t, ask for the example that comes some hundred numbers later, before `stop`.
  template <class Rows>
  INLINED void fetch_ahead(const Examples<Rows>& examples, std::int64_t t, std::int64_t stop) const {
    examples.fetch((*this)[std::min(t + examples.ahead, stop - 1)]);
  }

 private:
  const std::int64_t* positions_;
  std::int64_t size_;
};

// The mistakes of a block, and the position where to go on: less than `stop` where the learner wants
// to be asked once more, the length of the epoch where it needs no other round.
struct Presented {
  std::int64_t mistakes, reached;
};

struct Outcome {
  std::int64_t epochs;
  int reason;
};

// Run up to `most` epochs in the same order, and count the mistakes of each.
template <class Rows, class Learner, class Between>
Outcome epochs(const Examples<Rows>& examples, const Order& order, int tie, Learner& learner,
               std::int64_t* mistakes_per_epoch, std::int64_t most, Between&& pause) {
  const Rule rule = examples.rule(tie);
  const std::int64_t block = examples_per_block(examples), n = order.size();
  for (std::int64_t epoch = 0; epoch < most; ++epoch) {
    const int wait = learner.begin_epoch(examples, order, pause);
    if (wait != GO_ON) return {epoch, wait};
    std::int64_t position = 0;
    while (position < n) {
      const std::int64_t stop = std::min(n, position + block);
      const Presented part = learner.present(examples, order, rule, position, stop, pause);
      mistakes_per_epoch[epoch] += part.mistakes;
      position = part.reached;
      pause();
    }
    const int reason = learner.end_epoch(examples, rule, mistakes_per_epoch[epoch], pause);
    if (reason != GO_ON) return {epoch + 1, reason};
  }
  return {most, PAUSED};
}

}  // namespace novikoff
