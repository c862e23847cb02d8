// Examples and weights as `learners/unit.py` makes them: named tuples of arrays.
#pragma once

#include <utility>

#include "border.hpp"
#include "epochs.hpp"
#include "parallel.hpp"
#include "pause.hpp"
#include "unit.hpp"

namespace novikoff {

constexpr int MOST_THREADS = 1024;

// The array at a place of a named tuple; its memory is the caller's, and stays where it is.
template <class T>
Line<T> line_at(nb::tuple values, std::size_t k) {
  return nb::cast<Line<T>>(values[k], false);
}

// The one number of an array of one.
template <class T>
T* number_at(nb::tuple values, std::size_t k) {
  const auto line = line_at<T>(values, k);
  require(line.size() == 1, "a number that changes is an array of one.");
  return line.data();
}

template <class Whole = std::int64_t>
Whole* count_at(nb::tuple values, std::size_t k) {
  Whole* const count = number_at<Whole>(values, k);
  require(is_count(*count), "a count must not be negative.");
  return count;
}

inline Weights weights_from(nb::tuple weights, std::int64_t n_features) {
  require(weights.size() == 2, "weights are w and a bound on its norm.");
  const auto w = line_at<double>(weights, 0), norm = line_at<double>(weights, 1);
  require(std::int64_t(w.size()) == n_features + 1 && norm.size() == 1,
          "there must be a weight for each column, one for the bias, and one norm.");
  return {w.data(), norm.data(), n_features + 1};
}

// The positions of the examples to present; none stands for all, as they are given.
inline Order order_from(const Line<const std::int64_t>& order, std::int64_t n) {
  const auto size = std::int64_t(order.size());
  require(are_below(order.data(), size, n), "order must name rows that exist.");
  return size > 0 ? Order(order.data(), size) : Order(nullptr, n);
}

// Epochs of a learner whose state Python holds: how many were run, and why it returned.
template <class Rows, class Learner>
nb::tuple run_epochs(const Examples<Rows>& examples, const Line<const std::int64_t>& order, int tie,
                     Learner& learner, const Line<std::int64_t>& mistakes_per_epoch) {
  const Order positions = order_from(order, examples.n);
  const Outcome outcome = [&] {
    Pause pause;
    return epochs(examples, positions, tie, learner, mistakes_per_epoch.data(),
                  std::int64_t(mistakes_per_epoch.size()), pause);
  }();
  return nb::make_tuple(outcome.epochs, outcome.reason);
}

// The learner, whose examples are scored by so many threads: by one where they are few.
template <class Learner, class Rows>
Parallel<Learner, Rows> on_threads(const Learner& learner, const Examples<Rows>& examples,
                                   int threads) {
  require(1 <= threads && threads <= MOST_THREADS, "there must be 1 to 1024 threads.");
  const bool are_few = examples.n < examples_per_block(examples);
  return {learner, examples, are_few ? 1 : threads};
}

// f(Examples<Rows>) for the kind of rows at hand.
template <class F>
decltype(auto) with_examples(nb::tuple examples, F&& f) {
  require(examples.size() == 7, "examples are rows, push, norms, bias, unit, radius and entries.");
  const AnyRows any = rows_from(examples[0]);
  const auto push = line_at<const double>(examples, 1), norms = line_at<const double>(examples, 2);
  const auto n = std::int64_t(push.size());
  require(norms.size() == push.size() && n <= rows_in(any), "each example has a push and a norm.");
  const auto bias = nb::cast<double>(examples[3]), unit = nb::cast<double>(examples[4]);
  const auto radius = nb::cast<double>(examples[5]);
  const auto entries = nb::cast<std::int64_t>(examples[6]);
  require(0 <= entries && entries < std::int64_t{1} << 60, "entries are those of the longest row.");
  return std::visit(
      [&](const auto& rows) -> decltype(auto) {
        using Rows = std::decay_t<decltype(rows)>;
        return f(Examples<Rows>{rows, push.data(), norms.data(), n, bias, unit, radius, entries});
      },
      any);
}

}  // namespace novikoff
