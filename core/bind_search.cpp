// The search for separability: nearest points, passes, column statistics.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "border.hpp"
#include "columns.hpp"
#include "gram.hpp"
#include "modules.hpp"
#include "one_sided.hpp"
#include "passes.hpp"
#include "pause.hpp"
#include "rough_perceptron.hpp"
#include "wolfe.hpp"

namespace novikoff {

namespace border {

namespace {

template <class Index>
Compressed<Index> compressed(const Line<const double>& values, const Line<const Index>& indices,
                             const Line<const Index>& starts, std::int64_t most_index) {
  require(starts.size() > 0 && starts.data()[0] == 0, "the first row must begin at 0.");
  const auto count = std::int64_t(starts.size());
  require(are_growing(starts.data(), count), "rows must follow each other.");
  const auto end = std::int64_t(starts.data()[count - 1]);
  require(end <= std::int64_t(std::min(indices.size(), values.size())),
          "rows must end within what is stored.");
  require(are_below(indices.data(), end, most_index), "indices must be within the matrix.");
  return {values.data(), indices.data(), starts.data(), count - 1};
}

}  // namespace

int nearest_point(Grid<const double> A, Line<const std::int64_t> group, Line<std::int64_t> bases,
                  Line<std::int64_t> columns, Line<double> alpha, Grid<double> Qt, Grid<double> R,
                  Line<double> point, Line<double> along, Line<std::int64_t> size,
                  Line<bool> is_active, std::int64_t most_rounds, double seconds) {
  const auto m = std::int64_t(A.shape(0)), d = std::int64_t(A.shape(1));
  const std::size_t groups = bases.size(), room = columns.size();
  require(group.size() == A.shape(0) && is_active.size() == A.shape(0),
          "each row has a group, and is active or not.");
  require(groups > 0 && are_below(group.data(), m, std::int64_t(groups)), "each group must have a base.");
  require(alpha.size() == room + groups && along.size() == room && point.size() == A.shape(1) &&
              Qt.shape(0) == room && Qt.shape(1) == A.shape(1) && R.shape(0) == room &&
              R.shape(1) == room && size.size() == 1,
          "the arrays of the active rows must fit each other.");
  const std::int64_t k = size.data()[0];
  require(0 <= k && k <= std::int64_t(room) && k <= d, "there are more columns than fit.");
  require(are_below(columns.data(), k, m), "columns must be rows that exist.");
  require(are_below(bases.data(), std::int64_t(groups), m), "bases must be rows that exist.");
  const Polytope polytope{A.data(), group.data(), m, d};
  const ActiveRows active{bases.data(), columns.data(),   alpha.data(), Qt.data(),
                          R.data(),     point.data(),     along.data(), size.data(),
                          is_active.data(), std::int64_t(groups), std::int64_t(room)};
  Pause pause(seconds);
  return int(NearestPoint(polytope, active, pause).solve(most_rounds));
}

nb::tuple least_scores(nb::handle rows, Line<const std::int8_t> y, Line<const double> w_hat,
                       std::int64_t keep, std::int64_t extra, double floor, double seconds) {
  const AnyRows any = rows_from(rows);
  require(std::int64_t(y.size()) <= rows_in(any), "there is no row for each label.");
  require(std::int64_t(w_hat.size()) == features_in(any) + 1,
          "there must be a weight for each column, and one for the bias.");
  require(keep > 0, "at least one row of each class must be kept.");
  LeastScores classes[2];
  std::visit(
      [&](const auto& r) {
        Pause pause(seconds);
        novikoff::least_scores(r, y.data(), std::int64_t(y.size()), w_hat.data(), std::size_t(keep),
                               ScoreError(extra, floor), classes, pause);
      },
      any);
  std::vector<std::int64_t> found;
  std::vector<double> scores, lowest, highest;
  for (const LeastScores& its_class : classes) {
    for (const ScoredRow& scored : its_class.found) {
      found.push_back(scored.row);
      scores.push_back(scored.score);
    }
    lowest.push_back(its_class.lowest);
    highest.push_back(its_class.highest);
  }
  return nb::make_tuple(array_of(std::move(found)), array_of(std::move(scores)),
                        array_of(std::move(lowest)), array_of(std::move(highest)));
}

nb::tuple column_extents(nb::handle rows, double seconds) {
  const AnyRows any = rows_from(rows);
  ColumnExtents seen = std::visit(
      [&](const auto& r) {
        Pause pause(seconds);
        return novikoff::column_extents(r, pause);
      },
      any);
  return nb::make_tuple(array_of(std::move(seen.least)), array_of(std::move(seen.greatest)),
                        seen.longest, seen.longest_square, seen.stored, seen.nonzero);
}

auto class_means(nb::handle rows, Line<const std::int8_t> y, double seconds) {
  const AnyRows any = rows_from(rows);
  require(std::int64_t(y.size()) == rows_in(any), "each row must have a label.");
  return array_of(std::visit(
      [&](const auto& r) {
        Pause pause(seconds);
        return novikoff::class_means(r, y.data(), pause);
      },
      any));
}

nb::tuple rough_perceptron(nb::handle rows, Line<const std::int8_t> y, bool with_bias,
                           std::int64_t most_epochs, Line<double> w, Line<double> delayed,
                           double seconds) {
  const AnyRows any = rows_from(rows);
  require(std::int64_t(y.size()) <= rows_in(any), "there is no row for each label.");
  require(std::int64_t(w.size()) == features_in(any) + 1 && delayed.size() == w.size(),
          "there must be a weight for each column, and one for the bias.");
  const RoughRun run = std::visit(
      [&](const auto& r) {
        Pause pause(seconds);
        return novikoff::rough_perceptron(r, y.data(), std::int64_t(y.size()), with_bias, most_epochs,
                                          w.data(), delayed.data(), pause);
      },
      any);
  return nb::make_tuple(run.rounds, run.converged);
}

template <class Index>
nb::tuple take_out_one_sided(Line<const Index> indptr, Line<const Index> indices,
                             Line<const double> data, Line<const Index> column_starts,
                             Line<const Index> row_indices, double seconds) {
  require(indptr.size() > 0 && column_starts.size() > 0, "a matrix has the starts of its rows.");
  const auto n = std::int64_t(indptr.size()) - 1, p = std::int64_t(column_starts.size()) - 1;
  const auto rows = compressed(data, indices, indptr, p);
  const auto columns = compressed(data, row_indices, column_starts, n);
  OneSided taken = [&] {
    Pause pause(seconds);
    return novikoff::take_out_one_sided(rows, columns, pause);
  }();
  return nb::make_tuple(array_of(std::move(taken.columns)), array_of(std::move(taken.signs)),
                        array_of(std::move(taken.settled)));
}

template <class Index>
void add_weighted_gram(Line<const Index> indptr, Line<const Index> indices, Line<const double> data,
                       Line<const double> weights,
                       nb::ndarray<double, nb::ndim<2>, nb::f_contig, nb::device::cpu> G,
                       double seconds) {
  require(G.shape(0) == G.shape(1), "a Gram matrix is square.");
  require(indptr.size() == weights.size() + 1, "each row must have a weight.");
  const auto p = std::int64_t(G.shape(0));
  const auto A = compressed(data, indices, indptr, p);
  Pause pause(seconds);
  novikoff::add_weighted_gram(A, weights.data(), p, G.data(), pause);
}

template <class Index>
void bind_sparse(nb::module_& m) {
  m.def("take_out_one_sided", &take_out_one_sided<Index>, "indptr"_a.noconvert(),
        "indices"_a.noconvert(), "data"_a.noconvert(), "column_starts"_a.noconvert(),
        "row_indices"_a.noconvert(), "seconds"_a,
        "The columns that push all their rows to one side, their signs, and what settled each row.");
  m.def("add_weighted_gram", &add_weighted_gram<Index>, "indptr"_a.noconvert(),
        "indices"_a.noconvert(), "data"_a.noconvert(), "weights"_a.noconvert(), "G"_a.noconvert(),
        "seconds"_a, "Add AᵀDA on and below the diagonal to G, in column-major order.");
}

}  // namespace border

void bind_search(nb::module_& m) {
  m.def("nearest_point", &border::nearest_point, "A"_a.noconvert(), "group"_a.noconvert(),
        "bases"_a.noconvert(), "columns"_a.noconvert(), "alpha"_a.noconvert(), "Qt"_a.noconvert(),
        "R"_a.noconvert(), "point"_a.noconvert(), "along"_a.noconvert(), "size"_a.noconvert(),
        "is_active"_a.noconvert(), "most_rounds"_a, "seconds"_a,
        "Go on from the active rows to the nearest point, by Wolfe's method; how it ended.");
  m.def("least_scores", &border::least_scores, "rows"_a, "y"_a.noconvert(), "w_hat"_a.noconvert(),
        "keep"_a, "extra"_a, "floor"_a, "seconds"_a,
        "The rows of the least scores of each class, the scores, and bounds on the least of each.");
  m.def("column_extents", &border::column_extents, "rows"_a, "seconds"_a,
        "Least and greatest entries, the longest row and its square, what is stored and is not 0.");
  m.def("class_means", &border::class_means, "rows"_a, "y"_a.noconvert(), "seconds"_a,
        "The mean of each column over the rows of class -1, then over those of class +1.");
  m.def("rough_perceptron", &border::rough_perceptron, "rows"_a, "y"_a.noconvert(), "with_bias"_a,
        "most_epochs"_a, "w"_a.noconvert(), "delayed"_a.noconvert(), "seconds"_a,
        "Epochs until one has no mistakes: how many examples were presented, and whether it did.");
  border::bind_sparse<std::int32_t>(m);
  border::bind_sparse<std::int64_t>(m);
}

}  // namespace novikoff
