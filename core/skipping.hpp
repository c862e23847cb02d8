// Skipping what cannot be a mistake: most rows of a long run are far from the plane.
//
// By Cauchy–Schwarz row j stays right while ‖ŵ − ŵ₀‖·‖x̂ⱼ‖ < yⱼ·s₀(xⱼ), where s₀ is the score under
// earlier weights ŵ₀. So one pass under ŵ₀ tells which rows are *near*: those that could be mistaken
// before ŵ has moved a certain distance, its *reach*. Until then only near rows are presented. This
// is exact: the mistakes, and the bits of the weights, are those of the plain loop.
//
// A survey costs a pass, so it must pay: where mistakes move ŵ too fast (in the first epochs, or for
// ever where no separator exists), the plain loop runs, for longer and longer between two attempts.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "perceptron.hpp"

namespace novikoff {

constexpr std::int64_t LONGEST_REST = 64;  // plain epochs between two surveys that did not pay
constexpr int HORIZONS = 12;               // reaches of 2, 4, 8, … epochs' movement are considered
constexpr std::int64_t SAMPLE = 512;       // rows that are asked first whether a survey would pay
constexpr std::int64_t PAID_OFF = 2;       // epochs that a survey must last to be worth its pass
constexpr double WORTHWHILE = 0.35;        // of the plain loop's work
constexpr std::int64_t SLACKS_PER_BLOCK = 100'000;

// Weights ŵ₀, the positions of the rows near them, how far ŵ has moved from them, and may move.
struct Survey {
  double* origin;
  std::int64_t* near;
  std::int64_t* size;  // so many rows are near
  double* moved;
  double* reach;

  bool holds() const { return *moved < *reach; }
};

// Whether the survey holds, the epochs that it has lasted, plain epochs to go until the next one, how
// many there will be after one that does not pay, and how far ŵ moved in the last epoch.
struct SkipSchedule {
  std::int64_t &holds, &lasted, &rest, &patience;
  double& pace;
};

// How far ŵ can move, at the least, before row i is a mistake; negative where it may be one.
template <class Rows>
double slack(const Rows& rows, std::int64_t i, double push, const double* w, double norm,
             double error) {
  const double room = signed_score(rows, i, push, w) - error;
  return room > 0.0 ? room / norm * (1.0 - 4 * UNIT) : -1.0;
}

// The slacks of `count` rows that are evenly spread over the order.
template <class Rows, class Between>
void find_slacks(const Examples<Rows>& examples, const Order& order, const Weights& weights,
                 double* slacks, std::int64_t count, Between&& pause) {
  const std::int64_t stride = order.size() / std::max<std::int64_t>(count, 1);
  const double error = error_bound(examples.entries, examples.radius * *weights.norm);
  const double *push = examples.push, *norms = examples.norms, *w = weights.w;
  in_blocks(count, examples_per_block(examples), pause, [&](std::int64_t k) {
    const std::int64_t i = order[k * stride];
    slacks[k] = slack(examples.rows, i, push[i], w, norms[i], error);
  });
}

// The first position from `start` on that may be a mistake, and the least slack before it.
struct Doubt {
  std::int64_t position;
  double least;
};

template <class Rows, class Between>
Doubt first_doubt(const Examples<Rows>& examples, const Order& order, const Weights& weights,
                  std::int64_t start, Between&& pause) {
  const double error = error_bound(examples.entries, examples.radius * *weights.norm);
  const std::int64_t block = examples_per_block(examples), n = order.size();
  const double *push = examples.push, *norms = examples.norms;
  double least = std::numeric_limits<double>::infinity();
  while (start < n) {
    const std::int64_t stop = std::min(n, start + block);
    for (; start < stop; ++start) {
      const std::int64_t i = order[start];
      const double room = slack(examples.rows, i, push[i], weights.w, norms[i], error);
      if (room < 0.0) return {start, -1.0};
      least = std::min(least, room);
    }
    pause();
  }
  return {n, least};
}

// The reach that would save most if ŵ moves by `pace` an epoch, or 0 if none saves enough.
template <class Between>
double best_reach(const double* slacks, std::int64_t count, double pace, Between&& pause) {
  const double farthest = std::ldexp(1.0, HORIZONS);
  std::array<std::int64_t, HORIZONS + 1> within{};
  in_blocks(count, SLACKS_PER_BLOCK, pause, [&](std::int64_t k) {
    const double epochs_away = std::max(slacks[k], pace) / pace;  // 2^h ≤ it < 2^(h+1)
    ++within[epochs_away < farthest ? std::ilogb(epochs_away) : HORIZONS];
  });
  double cheapest = WORTHWHILE, reach = 0.0, near = 0.0;
  for (int h = 0; h < HORIZONS; ++h) {
    near += double(within[h]);
    const double cost = std::ldexp(1.0, -(h + 1)) + near / double(count);
    if (cost < cheapest) {
      cheapest = cost;
      reach = std::ldexp(pace, h + 1);
    }
  }
  return reach;
}

// A pass under the present weights, if a sample says that it pays; whether it does.
template <class Rows, class Between>
bool take_survey(const Examples<Rows>& examples, const Order& order, const Weights& weights,
                 double pace, const Survey& survey, Between&& pause) {
  const std::int64_t n = order.size();
  if (pace == 0.0 || n == 0) return false;
  std::array<double, SAMPLE> sample;
  const std::int64_t asked = std::min(SAMPLE, n);
  find_slacks(examples, order, weights, sample.data(), asked, pause);
  if (best_reach(sample.data(), asked, pace, pause) == 0.0) return false;
  std::vector<double> slacks(static_cast<std::size_t>(n));
  find_slacks(examples, order, weights, slacks.data(), n, pause);
  const double reach = best_reach(slacks.data(), n, pace, pause);
  std::int64_t size = 0;
  in_blocks(n, SLACKS_PER_BLOCK, pause, [&](std::int64_t t) {
    if (slacks[t] <= reach) survey.near[size++] = t;
  });
  *survey.size = size;
  *survey.reach = reach;
  *survey.moved = 0.0;
  std::copy_n(weights.w, weights.size, survey.origin);
  return reach > 0.0;
}

// Present the near rows before `stop`, the first of them at place `cursor` of the list, which moves
// on; the mistakes, and from where all rows must be looked at.
template <class Rows>
Presented present_near(const Examples<Rows>& examples, const Order& order, Rule rule,
                       const Weights& weights, const Survey& survey, std::int64_t& cursor,
                       std::int64_t stop) {
  const Rows& rows = examples.rows;
  const double *push = examples.push, *norms = examples.norms, R = examples.radius;
  double* w = weights.w;
  double& norm = *weights.norm;
  double error = error_bound(examples.entries, R * norm);
  std::int64_t mistakes = 0;
  for (; cursor < *survey.size; ++cursor) {
    const std::int64_t t = survey.near[cursor];
    if (t >= stop) break;
    const std::int64_t i = order[t];
    const double side = signed_score(rows, i, push[i], w);
    if (side > error) continue;
    if (side < -error || is_mistake(rows, i, push[i], w, norms[i] * norm, rule)) {
      const double gain = side - signed_score(rows, i, push[i], survey.origin);
      *survey.moved = distance_after(*survey.moved, push[i], norms[i], norm, examples.entries, gain);
      update(rows, i, push[i], w, examples.bias);
      ++mistakes;
      norm = norm_after_update(norm, push[i], row_norm(rows, i, examples.bias));
      error = error_bound(examples.entries, R * norm);
      if (!survey.holds()) return {mistakes, t + 1};
    }
  }
  return {mistakes, stop};
}

// Present all near rows, in blocks; the mistakes, and from where all rows must be looked at.
template <class Rows, class Between>
Presented present_all_near(const Examples<Rows>& examples, const Order& order, Rule rule,
                           const Weights& weights, const Survey& survey, Between&& pause) {
  const std::int64_t block = examples_per_block(examples), n = order.size();
  std::int64_t cursor = 0, stop = 0;
  Presented all{0, 0};
  do {
    stop = std::min(n, stop + block);
    const Presented part = present_near(examples, order, rule, weights, survey, cursor, stop);
    all = {all.mistakes + part.mistakes, part.reached};
    pause();
  } while (stop < n && survey.holds());
  return all;
}

// A run of the perceptron that nobody watches; `Plain` presents all examples.
template <class Plain>
class SkippingPerceptron {
 public:
  SkippingPerceptron(Plain& plain, const Survey& survey, const SkipSchedule& schedule)
      : plain_(plain), survey_(survey), schedule_(schedule),
        began_(static_cast<std::size_t>(plain.weights.size)) {}

  // Survey the rows if it is time to.
  template <class Rows, class Between>
  int begin_epoch(const Examples<Rows>& examples, const Order& order, Between&& pause) {
    auto& [holds, lasted, rest, patience, pace] = schedule_;
    if (!holds && rest == 0) {
      holds = take_survey(examples, order, plain_.weights, pace, survey_, pause);
      lasted = 0;
      if (!holds) {
        rest = patience;
        patience = std::min(2 * patience, LONGEST_REST);
      }
    }
    held_ = holds;
    cursor_ = 0;
    std::copy_n(plain_.weights.w, plain_.weights.size, began_.data());
    return GO_ON;
  }

  // The mistakes of the plain loop, found among the near rows as long as the survey holds.
  template <class Rows, class Between>
  Presented present(const Examples<Rows>& examples, const Order& order, Rule rule,
                    std::int64_t start, std::int64_t stop, Between&& pause) {
    Presented near{0, start};
    if (schedule_.holds) {
      near = present_near(examples, order, rule, plain_.weights, survey_, cursor_, stop);
      schedule_.holds = survey_.holds();
    }
    if (near.reached >= stop) return {near.mistakes, stop};
    const Presented all = plain_.present(examples, order, rule, near.reached, stop, pause);
    return {near.mistakes + all.mistakes, stop};
  }

  // How far ŵ moved, and when to survey next.
  template <class Rows, class Between>
  int end_epoch(const Examples<Rows>& examples, Rule rule, std::int64_t mistakes, Between&& pause) {
    auto& [holds, lasted, rest, patience, pace] = schedule_;
    if (!held_) {
      --rest;
    } else {
      ++lasted;
      if (!holds) {
        // A survey that did not last was not worth its pass.
        const bool paid = lasted > PAID_OFF;
        patience = paid ? 1 : std::min(2 * patience, LONGEST_REST);
        rest = paid ? 0 : patience;
      }
    }
    const double* w = plain_.weights.w;
    for (double& value : began_) value = *w++ - value;
    pace = norm_bound(began_.data(), plain_.weights.size);
    return plain_.end_epoch(examples, rule, mistakes, pause);
  }

 private:
  Plain& plain_;
  Survey survey_;
  SkipSchedule schedule_;
  std::vector<double> began_;  // ŵ as the epoch began
  bool held_ = false;          // whether the survey held then
  std::int64_t cursor_ = 0;    // where among the near rows the epoch is
};

}  // namespace novikoff
