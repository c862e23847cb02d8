// The perceptron's relatives: averaged, voted, pocket, joint, kernel.
//
// Their states are the named tuples of the modules in learners/, taken apart by position.

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

#include "averaged.hpp"
#include "border_unit.hpp"
#include "joint.hpp"
#include "kernel_perceptron.hpp"
#include "modules.hpp"
#include "pocket.hpp"
#include "voted.hpp"

namespace novikoff {

namespace border {

namespace {

using Positions = Line<const std::int64_t>;
using Mistakes = Line<std::int64_t>;

template <class Rows>
std::int64_t width(const Examples<Rows>& examples) {
  return examples.rows.n_features() + 1;
}

double* weights_at(nb::tuple state, std::size_t k, std::int64_t size) {
  const auto w = line_at<double>(state, k);
  require(std::int64_t(w.size()) == size, "there must be a weight for each column, and the bias.");
  return w.data();
}

void check_places(std::int64_t start, std::int64_t stop, const Order& order) {
  require(0 <= start && start <= stop && stop <= order.size(), "places must lie in the order.");
}

Averaged averaged_from(nb::tuple state, std::int64_t size) {
  require(state.size() == 3, "the state is weights, what is delayed, and rounds.");
  return {weights_from(state[0], size - 1), weights_at(state, 1, size), count_at(state, 2)};
}

nb::tuple averaged_epochs(nb::tuple examples, const Positions& order, int tie, nb::tuple state,
                          const Mistakes& mistakes_per_epoch, int threads) {
  return with_examples(examples, [&](const auto& e) {
    auto learner = on_threads(averaged_from(state, width(e)), e, threads);
    return run_epochs(e, order, tie, learner, mistakes_per_epoch);
  });
}

std::int64_t averaged_present(nb::tuple examples, const Positions& order, int tie,
                              nb::tuple state, std::int64_t start, std::int64_t stop) {
  return with_examples(examples, [&](const auto& e) {
    const Averaged learner = averaged_from(state, width(e));
    const Order positions = order_from(order, e.n);
    check_places(start, stop, positions);
    Pause pause;
    const std::int64_t block = examples_per_block(e);
    std::int64_t mistakes = 0;
    for (std::int64_t t = start; t < stop; t += block) {
      mistakes += learner.present(e, positions, e.rule(tie), t, std::min(stop, t + block), pause)
                      .mistakes;
      pause();
    }
    return mistakes;
  });
}

template <class Whole, class Real>
HistoryOf<Whole, Real> history_from(nb::tuple history) {
  require(history.size() == 4, "a history is rows, pushes, survivals and its size.");
  const auto mistaken = line_at<Whole>(history, 0);
  const auto push = line_at<Real>(history, 1);
  const auto survived = line_at<Whole>(history, 2);
  Whole* const size = count_at<Whole>(history, 3);
  const auto room = std::int64_t(mistaken.size());
  require(push.size() == mistaken.size() && survived.size() == mistaken.size() + 1 && *size <= room,
          "a history has a row and a push for each mistake, and one survival more.");
  require(is_count(survived.data()[*size]), "a count must not be negative.");
  return {mistaken.data(), push.data(), survived.data(), size, room};
}

nb::tuple voted_epochs(nb::tuple examples, const Positions& order, int tie, nb::tuple weights,
                       nb::tuple history, std::int64_t max_mistakes,
                       const Mistakes& mistakes_per_epoch) {
  return with_examples(examples, [&](const auto& e) {
    Voted learner{weights_from(weights, e.rows.n_features()),
                  history_from<std::int64_t, double>(history), max_mistakes};
    return run_epochs(e, order, tie, learner, mistakes_per_epoch);
  });
}

void votes(nb::handle points, nb::handle rows, nb::tuple history, double bias, int tie,
           const Line<double>& result) {
  const AnyRows shown = rows_from(points), learned = rows_from(rows);
  const PastHistory kept = history_from<const std::int64_t, const double>(history);
  const auto n = std::int64_t(result.size());
  require(n <= rows_in(shown), "there is no point for each result.");
  require(features_in(shown) == features_in(learned), "points and rows have different columns.");
  require(are_below(kept.mistaken, *kept.size, rows_in(learned)),
          "the history must name rows that exist.");
  Pause pause;
  const auto replay = [&](std::int64_t k, double* w) {
    std::visit([&](const auto& r) { update(r, kept.mistaken[k], kept.push[k], w, bias); }, learned);
  };
  std::visit(
      [&](const auto& r) {
        std::vector<double> norms;
        norms.reserve(std::size_t(n));
        Pace pace(pause);
        for (std::int64_t i = 0; i < n; ++i) {
          norms.push_back(row_norm(r, i, bias > 0.0 ? 1.0 : 0.0));
          pace(r.entries(i));
        }
        novikoff::votes(r, norms.data(), n, kept, tie, replay, result.data(), pause);
      },
      shown);
}

Pocket pocket_from(nb::tuple state, std::int64_t size) {
  require(state.size() == 6, "the state is two weights, loss, tally, run lengths and the ratchet.");
  const auto tally = line_at<std::int64_t>(state, 3), run_lengths = line_at<std::int64_t>(state, 4);
  const auto room = std::int64_t(run_lengths.size());
  require(tally.size() == 4 && std::all_of(tally.data(), tally.data() + 4, is_count),
          "the tally has four counts.");
  const std::int64_t changes = tally.data()[Pocket::CHANGES];
  require(changes <= room && (changes > 0 || tally.data()[Pocket::TRIAL] != Pocket::KEPT),
          "each change of the pocket has a run length.");
  return {weights_from(state[0], size - 1),
          weights_from(state[1], size - 1),
          number_at<double>(state, 2),
          tally.data(),
          run_lengths.data(),
          room,
          nb::cast<bool>(state[5])};
}

nb::tuple pocket_epochs(nb::tuple examples, const Positions& order, int tie, nb::tuple state,
                        const Mistakes& mistakes_per_epoch) {
  return with_examples(examples, [&](const auto& e) {
    Pocket learner = pocket_from(state, width(e));
    return run_epochs(e, order, tie, learner, mistakes_per_epoch);
  });
}

nb::tuple pocket_until_trial(nb::tuple examples, const Positions& order, int tie, nb::tuple state,
                             std::int64_t start) {
  return with_examples(examples, [&](const auto& e) {
    Pocket learner = pocket_from(state, width(e));
    const Order positions = order_from(order, e.n);
    check_places(start, positions.size(), positions);
    const auto [part, is_due] = [&] {
      Pause pause;
      return learner.until_trial(e, positions, e.rule(tie), start, pause);
    }();
    return nb::make_tuple(part.reached, part.mistakes, is_due);
  });
}

nb::tuple loss_on(nb::tuple examples, int tie, nb::tuple weights, double loss, double limit) {
  return with_examples(examples, [&](const auto& e) {
    const Weights at = weights_from(weights, e.rows.n_features());
    const Loss found = [&] {
      Pause pause;
      return novikoff::loss_on(e, e.rule(tie), at, loss, limit, pause);
    }();
    return nb::make_tuple(found.sum, found.errors);
  });
}

Joint joint_from(nb::tuple state, std::int64_t n, std::int64_t size) {
  require(state.size() == 5, "the state is labels, weights, norms, what is delayed, and rounds.");
  const auto labels = line_at<const std::int64_t>(state, 0);
  const auto W = nb::cast<Grid<double>>(state[1], false);
  const auto norms = line_at<double>(state, 2);
  const auto delayed = nb::cast<Grid<double>>(state[3], false);
  const auto classes = std::int64_t(W.shape(0));
  require(classes >= 2 && std::int64_t(W.shape(1)) == size && norms.size() == W.shape(0) &&
              delayed.shape(0) == W.shape(0) && delayed.shape(1) == W.shape(1),
          "each of at least two classes has weights, their norm, and what is delayed.");
  require(std::int64_t(labels.size()) == n && are_below(labels.data(), n, classes),
          "each example has a class that exists.");
  return {labels.data(), W.data(), norms.data(), delayed.data(), count_at(state, 4), classes, size};
}

nb::tuple joint_epochs(nb::tuple examples, const Positions& order, int tie, nb::tuple state,
                       const Mistakes& mistakes_per_epoch) {
  return with_examples(examples, [&](const auto& e) {
    Joint learner = joint_from(state, e.n, width(e));
    return run_epochs(e, order, tie, learner, mistakes_per_epoch);
  });
}

std::int64_t joint_errors(nb::tuple examples, int tie, nb::tuple state) {
  return with_examples(examples, [&](const auto& e) {
    const Joint learner = joint_from(state, e.n, width(e));
    Pause pause;
    return learner.errors(e, e.rule(tie), pause);
  });
}

KernelPerceptron kernel_from(nb::tuple state, std::int64_t n, std::int64_t size) {
  require(state.size() == 5, "the state is coefficients, scores, weights, path and mistakes.");
  const auto coef = line_at<double>(state, 0), scores = line_at<double>(state, 1);
  require(std::int64_t(coef.size()) == n && std::int64_t(scores.size()) == n,
          "each example has a coefficient and a score.");
  const auto weights = nb::cast<nb::tuple>(state[2]);
  const bool is_linear = weights.size() == 2 && line_at<double>(weights, 0).size() > 0;
  return {coef.data(), scores.data(),
          is_linear ? weights_from(weights, size - 1) : Weights{nullptr, nullptr, 0},
          number_at<double>(state, 3), count_at(state, 4)};
}

std::int64_t kernel_next_mistake(nb::tuple examples, const Positions& order, std::int64_t start,
                                 int tie, nb::tuple state) {
  return with_examples(examples, [&](const auto& e) {
    const KernelPerceptron learner = kernel_from(state, e.n, width(e));
    const Order positions = order_from(order, e.n);
    require(start >= 0, "places must lie in the order.");
    Pause pause;
    return learner.next_mistake(e, positions, start, tie, pause);
  });
}

std::int64_t kernel_errors(nb::tuple examples, int tie, nb::tuple state) {
  return with_examples(examples, [&](const auto& e) {
    const KernelPerceptron learner = kernel_from(state, e.n, width(e));
    Pause pause;
    return learner.errors(e, tie, pause);
  });
}

std::int64_t kernel_advance(nb::tuple examples, const Positions& order, std::int64_t start,
                            int tie, nb::tuple state, nb::tuple cache) {
  return with_examples(examples, [&](const auto& e) {
    KernelPerceptron learner = kernel_from(state, e.n, width(e));
    const Order positions = order_from(order, e.n);
    require(start >= 0, "places must lie in the order.");
    require(cache.size() == 3, "the rows at hand are values, slots and uses.");
    const auto values = nb::cast<Grid<const double>>(cache[0], false);
    const auto slots = line_at<const std::int64_t>(cache, 1);
    const auto uses = line_at<std::int64_t>(cache, 2);
    require(std::int64_t(values.shape(1)) == e.n && std::int64_t(slots.size()) == e.n &&
                std::int64_t(uses.size()) == e.n,
            "rows of a Gram matrix have a value, a slot and a use for each example.");
    const GramRows gram{values.data(), slots.data(), uses.data(), std::int64_t(values.shape(0))};
    Pause pause;
    return learner.advance(e, positions, start, tie, gram, pause);
  });
}

void add_row(const Line<double>& scores, double step, const Line<const double>& row, double bias) {
  require(scores.size() == row.size(), "there must be a score for each value.");
  Pause pause;
  novikoff::add_row(scores.data(), step, row.data(), bias, std::int64_t(row.size()), pause);
}

}  // namespace

}  // namespace border

void bind_relatives(nb::module_& m) {
  const char* const epochs = "Epoch after epoch: how many were run, and why it returned.";
  m.def("averaged_epochs", &border::averaged_epochs, "examples"_a, "order"_a.noconvert(), "tie"_a,
        "state"_a, "mistakes_per_epoch"_a.noconvert(), "threads"_a = 1, epochs);
  m.def("averaged_present", &border::averaged_present, "examples"_a, "order"_a.noconvert(),
        "tie"_a, "state"_a, "start"_a, "stop"_a,
        "Present the examples at these positions of the order; the mistakes.");
  m.def("voted_epochs", &border::voted_epochs, "examples"_a, "order"_a.noconvert(), "tie"_a,
        "weights"_a, "history"_a, "max_mistakes"_a, "mistakes_per_epoch"_a.noconvert(), epochs);
  m.def("votes", &border::votes, "points"_a, "rows"_a, "history"_a, "bias"_a, "tie"_a,
        "result"_a.noconvert(), "For each point the votes for +1 minus those for -1.");
  m.def("pocket_epochs", &border::pocket_epochs, "examples"_a, "order"_a.noconvert(), "tie"_a,
        "state"_a, "mistakes_per_epoch"_a.noconvert(), epochs);
  m.def("pocket_until_trial", &border::pocket_until_trial, "examples"_a, "order"_a.noconvert(),
        "tie"_a, "state"_a, "start"_a,
        "Present examples up to one that makes a trial due: the position, mistakes, if it is due.");
  m.def("loss_on", &border::loss_on, "examples"_a, "tie"_a, "weights"_a, "loss"_a, "limit"_a,
        "The loss, with that of each misclassified example, up to the limit; how many they are.");
  m.def("joint_epochs", &border::joint_epochs, "examples"_a, "order"_a.noconvert(), "tie"_a,
        "state"_a, "mistakes_per_epoch"_a.noconvert(), epochs);
  m.def("joint_errors", &border::joint_errors, "examples"_a, "tie"_a, "state"_a,
        "How many of the presented examples are misclassified, without learning from them.");
  m.def("kernel_next_mistake", &border::kernel_next_mistake, "examples"_a, "order"_a.noconvert(),
        "start"_a, "tie"_a, "state"_a,
        "The first place from start on whose row is a mistake; the end if none is.");
  m.def("kernel_errors", &border::kernel_errors, "examples"_a, "tie"_a, "state"_a,
        "How many of the presented examples are misclassified, without learning from them.");
  m.def("kernel_advance", &border::kernel_advance, "examples"_a, "order"_a.noconvert(), "start"_a,
        "tie"_a, "state"_a, "cache"_a,
        "Learn from mistake after mistake; the place of one whose Gram row is not at hand.");
  m.def("add_row", &border::add_row, "scores"_a.noconvert(), "step"_a, "row"_a.noconvert(),
        "bias"_a, "Add step * (row + bias) to the scores.");
}

}  // namespace novikoff
