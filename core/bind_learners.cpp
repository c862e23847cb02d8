// The perceptron, its orders and its watchers.

#include <algorithm>
#include <cstdint>
#include <variant>

#include "border_unit.hpp"
#include "doubtful.hpp"
#include "greedy.hpp"
#include "modules.hpp"
#include "perceptron.hpp"
#include "replay.hpp"
#include "skipping.hpp"

namespace novikoff {

namespace border {

using Positions = Line<const std::int64_t>;
using Counts = Line<std::int64_t>;

Journal journal_from(nb::handle observed) {
  if (observed.is_none()) return {};
  const auto journal = nb::cast<nb::tuple>(observed);
  require(journal.size() == 4, "a journal is rounds, rows, scores and how many of them there are.");
  const auto rounds = line_at<std::int64_t>(journal, 0), rows = line_at<std::int64_t>(journal, 1);
  const auto scores = line_at<double>(journal, 2);
  const auto capacity = std::int64_t(rounds.size());
  auto* size = number_at<std::int64_t>(journal, 3);
  require(rows.size() == rounds.size() && scores.size() == rounds.size() && 0 <= *size &&
              *size <= capacity,
          "a journal has as much room for rounds, rows and scores, and is not over full.");
  return {rounds.data(), rows.data(), scores.data(), size, capacity};
}

CycleWatch watch_from(nb::handle watched, std::int64_t n_weights) {
  if (watched.is_none()) return {};
  const auto watch = nb::cast<nb::tuple>(watched);
  require(watch.size() == 5, "a watch is saved weights, counts, lap, power and growth.");
  const auto growth = nb::cast<double>(watch[4]);
  const auto saved = line_at<double>(watch, 0);
  if (saved.size() == 0) return {.growth = growth};
  require(std::int64_t(saved.size()) == n_weights, "as many weights must be saved as there are.");
  const auto counts = line_at<std::int64_t>(watch, 1);
  return {saved.data(), counts.data(), std::int64_t(counts.size()),
          count_at(watch, 2), count_at(watch, 3), growth};
}

Perceptron perceptron_from(nb::tuple state, std::int64_t n_features) {
  require(state.size() == 3, "a state is weights, an observer and the rounds so far.");
  const auto observer = nb::cast<nb::tuple>(state[1]);
  require(observer.size() == 2, "an observer is a journal and a watch.");
  return {weights_from(nb::cast<nb::tuple>(state[0]), n_features),
          {journal_from(observer[0]), watch_from(observer[1], n_features + 1)},
          count_at(state, 2)};
}

// The same, for these examples: each has a place among the counts, and an epoch fits the journal.
template <class Rows>
Perceptron perceptron_on(const Examples<Rows>& examples, const Positions& order, nb::tuple state) {
  const Perceptron unit = perceptron_from(state, examples.rows.n_features());
  const std::int64_t counts = unit.observer.watch.n_counts;
  require(counts == 0 || counts == examples.n, "there must be a count for each example.");
  require(unit.observer.journal.capacity == 0 || std::int64_t(order.size()) <= examples.n,
          "an epoch that is written down presents no more than all examples.");
  return unit;
}

// How many weights there are for the features, as the state says.
std::int64_t features_of(nb::tuple state) {
  require(state.size() == 3, "a state is weights, an observer and the rounds so far.");
  const auto w = line_at<double>(nb::cast<nb::tuple>(state[0]), 0);
  require(w.size() > 0, "there must be a weight for the bias.");
  return std::int64_t(w.size()) - 1;
}

int perceptron_begin(std::int64_t n, double unit, nb::tuple state) {
  require(n >= 0, "n must not be negative.");
  const Perceptron learner = perceptron_from(state, features_of(state));
  return learner.observer.reason_to_wait(n, unit, learner.weights);
}

int perceptron_end(nb::tuple state, std::int64_t mistakes) {
  return perceptron_from(state, features_of(state)).end_epoch(mistakes);
}

std::int64_t perceptron_present(nb::tuple examples, Positions order, int tie, nb::tuple state,
                                std::int64_t start) {
  return with_examples(examples, [&](const auto& e) {
    const Perceptron learner = perceptron_on(e, order, state);
    const Order positions = order_from(order, e.n);
    require(0 <= start && start <= positions.size(), "start must be a position of the order.");
    require(learner.observer.journal.has_room(positions.size() - start), "the journal is full.");
    Pause pause;
    return present_from(e, positions, tie, learner, start, pause);
  });
}

nb::tuple perceptron_epochs(nb::tuple examples, Positions order, int tie, nb::tuple state,
                            Counts mistakes_per_epoch, int threads) {
  return with_examples(examples, [&](const auto& e) {
    auto learner = on_threads(perceptron_on(e, order, state), e, threads);
    return run_epochs(e, order, tie, learner, mistakes_per_epoch);
  });
}

nb::tuple greedy_epochs(nb::tuple examples, Positions order, int tie, nb::tuple state,
                        Line<double> sides, Counts mistakes_per_epoch) {
  return with_examples(examples, [&](const auto& e) {
    require(std::int64_t(sides.size()) == e.n, "there must be room for the side of each example.");
    GreedyPerceptron learner{perceptron_on(e, order, state), sides.data()};
    return run_epochs(e, order, tie, learner, mistakes_per_epoch);
  });
}

Survey survey_from(nb::tuple survey, std::int64_t n_weights, std::int64_t n_positions) {
  require(survey.size() == 5, "a survey is an origin, near rows, their number, moved and reach.");
  const auto origin = line_at<double>(survey, 0);
  const auto near = line_at<std::int64_t>(survey, 1);
  auto* size = number_at<std::int64_t>(survey, 2);
  require(std::int64_t(origin.size()) == n_weights && std::int64_t(near.size()) >= n_positions &&
              0 <= *size && *size <= n_positions,
          "a survey has room for the weights and for all rows.");
  require(are_below(near.data(), *size, n_positions), "near rows must be positions.");
  return {origin.data(), near.data(), size, number_at<double>(survey, 3),
          number_at<double>(survey, 4)};
}

nb::tuple skipping_epochs(nb::tuple examples, Positions order, int tie, nb::tuple state,
                          nb::tuple survey, nb::tuple schedule, Counts mistakes_per_epoch,
                          int threads) {
  return with_examples(examples, [&](const auto& e) {
    auto plain = on_threads(perceptron_on(e, order, state), e, threads);
    require(plain.observer.is_nobody(), "a run that skips rows cannot be watched.");
    const std::int64_t n = order.size() > 0 ? std::int64_t(order.size()) : e.n;
    require(schedule.size() == 2, "a schedule is four counts and the pace.");
    const auto counts = line_at<std::int64_t>(schedule, 0);
    std::int64_t* at = counts.data();
    double* pace = number_at<double>(schedule, 1);
    require(counts.size() == 4 && std::all_of(at, at + 4, is_count) && *pace >= 0.0,
            "a schedule is four counts and the pace.");
    SkippingPerceptron learner(plain, survey_from(survey, plain.weights.size, n),
                               {at[0], at[1], at[2], at[3], *pace});
    return run_epochs(e, order, tie, learner, mistakes_per_epoch);
  });
}

bool take_survey(nb::tuple examples, Positions order, nb::tuple weights, double pace,
                 nb::tuple survey) {
  return with_examples(examples, [&](const auto& e) {
    const Weights at = weights_from(weights, e.rows.n_features());
    const Order positions = order_from(order, e.n);
    const Survey found = survey_from(survey, at.size, positions.size());
    require(pace >= 0.0, "a pace is a distance.");
    Pause pause;
    return novikoff::take_survey(e, positions, at, pace, found, pause);
  });
}

nb::tuple present_near(nb::tuple examples, int tie, nb::tuple weights, nb::tuple survey) {
  return with_examples(examples, [&](const auto& e) {
    const Weights at = weights_from(weights, e.rows.n_features());
    const Survey near = survey_from(survey, at.size, e.n);
    const Order all(nullptr, e.n);
    const Presented done = [&] {
      Pause pause;
      return present_all_near(e, all, e.rule(tie), at, near, pause);
    }();
    return nb::make_tuple(done.mistakes, done.reached);
  });
}

void slacks(nb::tuple examples, Positions order, nb::tuple weights, Line<double> found) {
  with_examples(examples, [&](const auto& e) {
    const Weights at = weights_from(weights, e.rows.n_features());
    const Order positions = order_from(order, e.n);
    const auto count = std::int64_t(found.size());
    require(count == positions.size(), "there must be room for the slack of each row presented.");
    Pause pause;
    find_slacks(e, positions, at, found.data(), count, pause);
  });
}

nb::tuple first_doubt(nb::tuple examples, Positions order, nb::tuple weights, std::int64_t start) {
  return with_examples(examples, [&](const auto& e) {
    const Weights at = weights_from(weights, e.rows.n_features());
    const Order positions = order_from(order, e.n);
    require(0 <= start && start <= positions.size(), "start must be a position of the order.");
    const Doubt found = [&] {
      Pause pause;
      return novikoff::first_doubt(e, positions, at, start, pause);
    }();
    return nb::make_tuple(found.position, found.least);
  });
}

std::int64_t next_doubtful(nb::handle rows, Line<const double> signs, Line<const double> norms,
                           Positions order, std::int64_t start, Line<const double> w,
                           double w_norm) {
  const AnyRows any = rows_from(rows);
  const auto n = std::int64_t(signs.size());
  require(n <= rows_in(any) && norms.size() == signs.size(), "each example has a row and a norm.");
  require(std::int64_t(w.size()) == features_in(any) + 1, "there must be a weight a column, and one.");
  const auto size = std::int64_t(order.size());
  require(0 <= start && start <= size, "start must be a position of the order.");
  require(are_below(order.data() + start, size - start, n), "order must name rows that exist.");
  const Order positions(order.data(), size);
  return std::visit(
      [&](const auto& r) {
        Pause pause;
        return novikoff::next_doubtful(r, signs.data(), norms.data(), positions, start, w.data(),
                                       w_norm, pause);
      },
      any);
}

template <class Rows>
Mistakes mistakes_from(const Examples<Rows>& examples, const Positions& mistakes) {
  const auto size = std::int64_t(mistakes.size());
  require(are_below(mistakes.data(), size, examples.n), "mistakes must be rows that exist.");
  return {mistakes.data(), size};
}

template <class Rows>
double* weights_of(const Examples<Rows>& examples, const Line<double>& w) {
  require(std::int64_t(w.size()) == examples.rows.n_features() + 1,
          "there must be a weight for each column, and one for the bias.");
  return w.data();
}

void replay(nb::tuple examples, Positions mistakes, Line<double> w) {
  with_examples(examples, [&](const auto& e) {
    const Mistakes made = mistakes_from(e, mistakes);
    double* at = weights_of(e, w);
    Pause pause;
    novikoff::replay(e, made, at, pause);
  });
}

std::int64_t first_false(nb::tuple examples, Positions mistakes, Line<const double> scores,
                         Line<double> w, int tie) {
  return with_examples(examples, [&](const auto& e) {
    const Mistakes made = mistakes_from(e, mistakes);
    require(scores.size() == mistakes.size(), "each mistake has a score.");
    double* at = weights_of(e, w);
    Pause pause;
    return novikoff::first_false(e, made, scores.data(), tie, at, pause);
  });
}

void follow(nb::tuple examples, Positions mistakes, Line<double> w, Line<const double> w_star,
            nb::tuple found) {
  with_examples(examples, [&](const auto& e) {
    const Mistakes made = mistakes_from(e, mistakes);
    require(w_star.size() == 0 || w_star.size() == w.size(), "ŵ* must be as long as ŵ, or empty.");
    double* at = weights_of(e, w);
    require(found.size() == 4, "what is found is norms, alignments, drift and growth.");
    double* columns[4];
    for (std::size_t k = 0; k < 4; ++k) {
      const auto column = line_at<double>(found, k);
      require(column.size() == mistakes.size(), "there must be a place for each mistake.");
      columns[k] = column.data();
    }
    Pause pause;
    novikoff::follow(e, made, at, w_star.size() > 0 ? w_star.data() : nullptr,
                     {columns[0], columns[1], columns[2], columns[3]}, pause);
  });
}

}  // namespace border

void bind_learners(nb::module_& m) {
  m.def("perceptron_begin", &border::perceptron_begin, "n"_a, "unit"_a, "state"_a,
        "Before an epoch over n examples: why it must not begin, or GO_ON.");
  m.def("perceptron_end", &border::perceptron_end, "state"_a, "mistakes"_a,
        "After an epoch: why no other is needed, or GO_ON.");
  m.def("perceptron_present", &border::perceptron_present, "examples"_a, "order"_a.noconvert(),
        "tie"_a, "state"_a, "start"_a,
        "Present the examples from a position of the order on; how many were mistaken.");
  m.def("perceptron_epochs", &border::perceptron_epochs, "examples"_a, "order"_a.noconvert(),
        "tie"_a, "state"_a, "mistakes_per_epoch"_a.noconvert(), "threads"_a = 1,
        "Epochs of the perceptron: how many were run, and why it stopped.");
  m.def("greedy_epochs", &border::greedy_epochs, "examples"_a, "order"_a.noconvert(), "tie"_a,
        "state"_a, "sides"_a.noconvert(), "mistakes_per_epoch"_a.noconvert(),
        "Epochs that learn from the worst mistake; sides is room for a number a row.");
  m.def("skipping_epochs", &border::skipping_epochs, "examples"_a, "order"_a.noconvert(), "tie"_a,
        "state"_a, "survey"_a, "schedule"_a, "mistakes_per_epoch"_a.noconvert(), "threads"_a = 1,
        "The same epochs as perceptron_epochs, without rows that cannot be mistakes.");
  m.def("take_survey", &border::take_survey, "examples"_a, "order"_a.noconvert(), "weights"_a,
        "pace"_a, "survey"_a,
        "Find the rows near these weights, if that pays at this pace; whether it does.");
  m.def("present_near", &border::present_near, "examples"_a, "tie"_a, "weights"_a, "survey"_a,
        "Present the near rows: the mistakes, and from where all rows must be looked at.");
  m.def("slacks", &border::slacks, "examples"_a, "order"_a.noconvert(), "weights"_a,
        "found"_a.noconvert(), "How far the weights can move before each row may be a mistake.");
  m.def("first_doubt", &border::first_doubt, "examples"_a, "order"_a.noconvert(), "weights"_a,
        "start"_a, "The first position that may be a mistake, and the least slack before it.");
  m.def("next_doubtful", &border::next_doubtful, "rows"_a, "signs"_a.noconvert(),
        "norms"_a.noconvert(), "order"_a.noconvert(), "start"_a, "w"_a.noconvert(), "w_norm"_a,
        "The next position whose row may be a mistake, rows and weights being rounded.");
  m.def("replay", &border::replay, "examples"_a, "mistakes"_a.noconvert(), "w"_a.noconvert(),
        "Push w by each of these mistakes in turn.");
  m.def("first_false", &border::first_false, "examples"_a, "mistakes"_a.noconvert(),
        "scores"_a.noconvert(), "w"_a.noconvert(), "tie"_a,
        "The first mistake from w on that is none or has another score, or -1.");
  m.def("follow", &border::follow, "examples"_a, "mistakes"_a.noconvert(), "w"_a.noconvert(),
        "w_star"_a.noconvert(), "found"_a,
        "Play a run again from w = 0 and measure the weights after each mistake.");
}

}  // namespace novikoff
