// Exact signs and sums, residues, elimination modulo a prime.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "border.hpp"
#include "decimals.hpp"
#include "doubled_sum.hpp"
#include "elimination.hpp"
#include "modules.hpp"
#include "pause.hpp"
#include "residues.hpp"
#include "scores.hpp"
#include "signs.hpp"
#include "verifier_cones.hpp"
#include "verifier_signs.hpp"
#include "verifier_span.hpp"

namespace novikoff {

namespace border {

namespace {

using Integers = Line<const std::int64_t>;
using Floats = Line<const double>;
using Signs = Line<const std::int8_t>;

template <class T>
std::int64_t length(const Line<T>& values) {
  return std::int64_t(values.size());
}

void require_below(const Integers& values, std::int64_t bound, const char* what) {
  require(are_below(values.data(), length(values), bound), what);
}

void require_prime(std::int64_t prime, std::int64_t bound = std::int64_t{1} << 31) {
  require(5 <= prime && prime < bound, "the prime is too small or too large.");
}

// Rows, and a weight for each column and for the bias.
AnyRows rows_with_weights(nb::handle rows, const Floats& w) {
  AnyRows any = rows_from(rows);
  require(length(w) == features_in(any) + 1, "there must be a weight for each column and the bias.");
  return any;
}

void require_row(const AnyRows& rows, std::int64_t i) {
  require(0 <= i && i < rows_in(rows), "there is no such row.");
}

double exact_score(nb::handle rows, std::int64_t i, Floats w) {
  const AnyRows any = rows_with_weights(rows, w);
  require_row(any, i);
  return std::visit([&](const auto& r) { return novikoff::exact_score(r, i, w.data()); }, any);
}

double exact_dot(Floats u, Floats v) {
  require(u.size() == v.size(), "the vectors must have the same length.");
  return novikoff::exact_dot(u.data(), v.data(), length(u));
}

int exact_comparison(nb::handle rows, std::int64_t i, Floats u, Floats v) {
  const AnyRows any = rows_with_weights(rows, u);
  require_row(any, i);
  require(u.size() == v.size(), "the weights must have the same length.");
  return std::visit(
      [&](const auto& r) { return novikoff::exact_comparison(r, i, u.data(), v.data()); }, any);
}

int score_sign(nb::handle rows, std::int64_t i, Floats w, double bound, double exact_below) {
  const AnyRows any = rows_with_weights(rows, w);
  require_row(any, i);
  return std::visit(
      [&](const auto& r) { return novikoff::score_sign(r, i, w.data(), bound, exact_below); }, any);
}

std::int64_t least_row(nb::handle rows, Floats y, Floats w) {
  const AnyRows any = rows_with_weights(rows, w);
  require(length(y) == rows_in(any), "each row needs a sign.");
  Pause pause;
  return std::visit(
      [&](const auto& r) { return novikoff::least_row(r, y.data(), w.data(), pause); }, any);
}

void row_scores(nb::handle rows, Floats w, Line<double> scores) {
  const AnyRows any = rows_with_weights(rows, w);
  require(length(scores) == rows_in(any), "each row needs room for its score.");
  Pause pause;
  std::visit([&](const auto& r) { novikoff::row_scores(r, w.data(), scores.data(), pause); }, any);
}

void filtered_signs(nb::handle rows, Signs y, Floats w, std::int64_t extra, double floor,
                    Line<std::int8_t> signs, double seconds) {
  const AnyRows any = rows_with_weights(rows, w);
  require(length(y) == rows_in(any) && y.size() == signs.size(), "each row needs two signs.");
  Pause pause(seconds);
  std::visit(
      [&](const auto& r) {
        novikoff::filtered_signs(r, y.data(), w.data(), {extra, floor}, signs.data(), pause);
      },
      any);
}

void exact_signs(nb::handle rows, Signs y, Integers indices, Floats w, Line<std::int8_t> signs,
                 double seconds) {
  const AnyRows any = rows_with_weights(rows, w);
  require(length(y) == rows_in(any), "each row needs a sign.");
  require(indices.size() == signs.size(), "each index needs room for a sign.");
  require_below(indices, rows_in(any), "there is no such row.");
  Pause pause(seconds);
  std::visit(
      [&](const auto& r) {
        novikoff::exact_signs(r, y.data(), indices.data(), length(indices), w.data(), signs.data(),
                              pause);
      },
      any);
}

void sure_signs(nb::handle rows, Floats w, Line<std::int8_t> signs, double seconds) {
  const AnyRows any = rows_with_weights(rows, w);
  require(length(signs) == rows_in(any), "each row needs room for a sign.");
  Pause pause(seconds);
  std::visit([&](const auto& r) { verifier::sure_signs(r, w.data(), signs.data(), pause); }, any);
}

std::int64_t cone_tree_bound(Grid<const std::int64_t> above, Grid<const std::int64_t> opposite,
                             Integers weights, Line<const std::uint8_t> tree, double seconds) {
  const std::size_t n = above.shape(0), r = above.shape(1);
  require(1 <= r && r <= 6, "there must be 1 to 6 vectors.");
  require(opposite.shape(0) == n && opposite.shape(1) == r && weights.size() == n,
          "each row needs bounds both ways, and a weight.");
  constexpr std::int64_t MOST = std::int64_t{1} << 60;
  for (const auto& bounds : {above, opposite})
    require(std::all_of(bounds.data(), bounds.data() + bounds.size(),
                        [](std::int64_t bound) { return -MOST <= bound && bound <= MOST; }),
            "bounds have 60 bits at most.");
  std::int64_t left = MOST;
  for (std::size_t i = 0; i < n; left -= weights.data()[i++])
    require(0 <= weights.data()[i] && weights.data()[i] <= left,
            "weights are not negative, and their sum has 60 bits at most.");
  Pause pause(seconds);
  return verifier::ConeTree(above.data(), opposite.data(), weights.data(), std::int64_t(n),
                            std::int64_t(r), tree.data(), std::int64_t(tree.size()), pause)
      .least();
}

void count_places(nb::handle rows, Floats tens, Line<std::int64_t> places, double seconds) {
  const AnyRows any = rows_from(rows);
  require(length(tens) == MOST_PLACES + 1, "there must be 23 powers of ten.");
  require(length(places) == features_in(any), "each column needs room for its places.");
  for (std::size_t j = 0; j < places.size(); ++j)
    require(places.data()[j] <= MOST_PLACES, "a column has at most 22 places.");
  Pause pause(seconds);
  std::visit(
      [&](const auto& r) { novikoff::count_places(r, tens.data(), places.data(), pause); }, any);
}

void column_ranges(nb::handle rows, Line<std::int64_t> lowest, Line<std::int64_t> highest,
                   Line<double> greatest, double seconds) {
  const AnyRows any = rows_from(rows);
  for (const auto size : {length(lowest), length(highest), length(greatest)})
    require(size == features_in(any), "each column needs room for its range.");
  Pause pause(seconds);
  std::visit(
      [&](const auto& r) {
        novikoff::column_ranges(r, {lowest.data(), highest.data(), greatest.data()}, pause);
      },
      any);
}

// What scales columns to integers, and the prime.
constexpr std::int64_t MOST_POWER = 4096;

Residues residues_from(const Integers& lowest, const Floats& tens, std::int64_t prime) {
  require(lowest.size() == tens.size(), "each column needs both of its scalings.");
  require_prime(prime);
  require(std::all_of(lowest.data(), lowest.data() + lowest.size(),
                      [](std::int64_t power) { return -MOST_POWER <= power && power <= MOST_POWER; }),
          "powers of two must be those of float64 numbers.");
  return {lowest.data(), tens.data(), prime};
}

void entry_residues(Integers columns, Floats values, Integers lowest, Floats tens,
                    std::int64_t prime, Line<std::int64_t> found, double seconds) {
  const Residues residues = residues_from(lowest, tens, prime);
  require(columns.size() == values.size() && values.size() == found.size(),
          "each entry needs a column and room for its residue.");
  require_below(columns, length(lowest), "there is no such column.");
  Pause pause(seconds);
  novikoff::entry_residues(residues, columns.data(), values.data(), length(values), found.data(),
                           pause);
}

void sum_of_rows(nb::handle rows, Integers lowest, Floats tens, Integers indices, Integers factors,
                 std::int64_t prime, Line<std::int64_t> sums, double seconds) {
  const AnyRows any = rows_from(rows);
  const Residues residues = residues_from(lowest, tens, prime);
  require(length(lowest) == features_in(any) && lowest.size() == sums.size(),
          "each column needs a scaling and room for its sum.");
  require(indices.size() == factors.size(), "each index needs a factor.");
  require_below(indices, rows_in(any), "there is no such row.");
  require_below(factors, prime, "factors must be residues.");
  Pause pause(seconds);
  std::visit(
      [&](const auto& r) {
        novikoff::sum_of_rows(r, residues, indices.data(), factors.data(), length(indices),
                              sums.data(), pause);
      },
      any);
}

void score_residues(nb::handle rows, Integers lowest, Floats tens, Integers indices, Integers w,
                    std::int64_t b, std::int64_t prime, Line<std::int64_t> scores, double seconds) {
  const AnyRows any = rows_from(rows);
  const Residues residues = residues_from(lowest, tens, prime);
  require(length(lowest) == features_in(any) && lowest.size() == w.size(),
          "each column needs a scaling and a weight.");
  require(indices.size() == scores.size(), "each index needs room for its score.");
  require_below(indices, rows_in(any), "there is no such row.");
  require_below(w, prime, "weights must be residues.");
  require(0 <= b && b < prime, "the bias must be a residue.");
  Pause pause(seconds);
  std::visit(
      [&](const auto& r) {
        novikoff::score_residues(r, residues, indices.data(), length(indices), w.data(), b,
                                 scores.data(), pause);
      },
      any);
}

std::int64_t eliminate_columns(Grid<double> M, std::int64_t done, std::int64_t start,
                               std::int64_t prime, Grid<double> factors, Line<bool> found,
                               double seconds) {
  const auto n = std::int64_t(M.shape(0)), width = std::int64_t(M.shape(1));
  const std::int64_t columns = length(found);
  require_prime(prime, SMALL_PRIME);
  require(0 <= done && done <= n && 0 <= start && start <= width && columns <= width - start &&
              columns <= COLUMNS,
          "there are no such columns, or too many.");
  require(std::int64_t(factors.shape(0)) == n - done && std::int64_t(factors.shape(1)) == columns,
          "there must be a factor for each row and column.");
  const Panel panel{M.data(), n, width, done, start, start + columns};
  Pause pause(seconds);
  return eliminate(panel, prime, factors.data(), found.data(), pause);
}

void reduce_block(Grid<double> M, std::int64_t first_row, std::int64_t last_row,
                  std::int64_t first_column, std::int64_t prime) {
  const auto n = std::int64_t(M.shape(0)), width = std::int64_t(M.shape(1));
  require_prime(prime, SMALL_PRIME);
  require(0 <= first_row && first_row <= last_row && last_row <= n && 0 <= first_column &&
              first_column <= width,
          "there is no such block.");
  Pause pause;
  Pace pace(pause);
  for (std::int64_t i = first_row; i < last_row; ++i) {
    novikoff::reduce(M.data() + i * width + first_column, width - first_column, double(prime));
    pace(width - first_column);
  }
}

// Whether the arrays are sparse rows with columns below the width; returns their number.
std::int64_t sparse_rows(Integers indptr, Integers indices, Integers data, std::int64_t width) {
  const std::int64_t n = length(indptr) - 1;
  require(n >= 0 && width >= 0 && indices.size() == data.size(),
          "the arrays of the rows do not fit each other.");
  require(indptr.data()[0] == 0 && indptr.data()[n] == length(data), "rows must be all entries.");
  require(are_growing(indptr.data(), n + 1), "rows must follow each other.");
  require_below(indices, width, "there is no such column.");
  return n;
}

nb::object sparse_echelon(Integers indptr, Integers indices, Integers data, Integers order,
                          std::int64_t width, std::int64_t prime, std::int64_t most,
                          double seconds) {
  const std::int64_t n = sparse_rows(indptr, indices, data, width);
  require_prime(prime);
  require_below(data, prime, "entries must be residues.");
  require_below(order, n, "there is no such row.");
  std::vector<std::int64_t> free, begin, end, sources;
  std::optional<Echelon> rows;
  SparseVectors vectors;
  const bool is_found = [&] {
    const Modulus modulus(prime);
    Pause pause(seconds);
    rows = echelon({indptr.data(), indices.data(), data.data()}, order.data(), length(order),
                   width, modulus, pause);
    if (!rows) return false;
    for (std::int64_t j = 0; j < width; ++j)
      if (rows->begin[std::size_t(j)] < 0) free.push_back(j);
    return novikoff::null_vectors(*rows, free, most, modulus, vectors, pause);
  }();
  if (!is_found) return nb::none();
  return nb::make_tuple(
      nb::make_tuple(array_of(std::move(rows->begin)), array_of(std::move(rows->end)),
                     array_of(std::move(rows->columns)), array_of(std::move(rows->values)),
                     array_of(std::move(rows->sources))),
      array_of(std::move(free)), array_of(std::move(vectors.starts)),
      array_of(std::move(vectors.columns)), array_of(std::move(vectors.values)));
}

std::int64_t rank_below(Integers indptr, Integers indices, Integers data, std::int64_t width,
                        std::int64_t prime, double seconds) {
  const std::int64_t n = sparse_rows(indptr, indices, data, width);
  require_prime(prime);
  require_below(data, prime, "entries must be residues.");
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = indptr.data()[i] + 1; k < indptr.data()[i + 1]; ++k)
      require(indices.data()[k - 1] < indices.data()[k], "columns must be in order.");
  Pause pause(seconds);
  return verifier::rank_modulo(indptr.data(), indices.data(), data.data(), n, width, prime, pause);
}

void doubled_sums(Grid<const double> A, Integers group, Floats alpha, std::int64_t n_groups,
                  Line<double> values, Line<double> sizes, double seconds) {
  const auto n = std::int64_t(A.shape(0)), d = std::int64_t(A.shape(1));
  require(0 <= n_groups && n_groups <= n, "there is no base for each group.");
  require(length(group) >= n - n_groups && length(alpha) >= n - n_groups,
          "each row needs a group and a factor.");
  require_below(group, n_groups, "there is no such group.");
  require(length(values) == d && length(sizes) == d, "each column needs room for its sum.");
  std::vector<double> low(std::size_t(d), 0.0);
  Pause pause(seconds);
  novikoff::doubled_sums(A.data(), n, d, group.data(), alpha.data(), n_groups,
                         {values.data(), low.data(), sizes.data()}, pause);
}

}  // namespace

}  // namespace border

void bind_exact(nb::module_& m) {
  m.def("exact_score", &border::exact_score, "rows"_a, "i"_a, "w"_a.noconvert(),
        "The score of a row, rounded once; 0 only if it is 0.");
  m.def("exact_dot", &border::exact_dot, "u"_a.noconvert(), "v"_a.noconvert(),
        "The product of two vectors, rounded once; 0 only if it is 0.");
  m.def("exact_comparison", &border::exact_comparison, "rows"_a, "i"_a, "u"_a.noconvert(),
        "v"_a.noconvert(), "The sign of the score with u minus the score with v, exactly.");
  m.def("score_sign", &border::score_sign, "rows"_a, "i"_a, "w"_a.noconvert(), "bound"_a,
        "exact_below"_a, "The sign of a score, exactly, given a bound on its size.");
  m.def("norm_after_update", &norm_after_update, "w_norm"_a, "step"_a, "row_norm"_a,
        "An upper bound on the norm of weights after a mistake.");
  m.def("least_row", &border::least_row, "rows"_a, "y"_a.noconvert(), "w"_a.noconvert(),
        "The row whose score times its sign is least, exactly; of equals, the first.");
  m.def("row_scores", &border::row_scores, "rows"_a, "w"_a.noconvert(), "scores"_a.noconvert(),
        "The score of each row, rounded; equal rows have equal scores.");
  m.def("filtered_signs", &border::filtered_signs, "rows"_a, "y"_a.noconvert(), "w"_a.noconvert(),
        "extra"_a, "floor"_a, "signs"_a.noconvert(), "seconds"_a,
        "The sign of each score times y where floating point can tell, 0 where it cannot.");
  m.def("exact_signs", &border::exact_signs, "rows"_a, "y"_a.noconvert(), "indices"_a.noconvert(),
        "w"_a.noconvert(), "signs"_a.noconvert(), "seconds"_a,
        "The sign of each of these scores times y, exactly.");
  m.def("cone_tree_bound", &border::cone_tree_bound, "above"_a.noconvert(),
        "opposite"_a.noconvert(), "weights"_a.noconvert(), "tree"_a.noconvert(), "seconds"_a,
        "For the verifier: the least weight of errors that a tree of cones proves; -1 if it is none.");
  m.def("sure_signs", &border::sure_signs, "rows"_a, "w"_a.noconvert(), "signs"_a.noconvert(),
        "seconds"_a, "For the verifier: write the signs of scores that are beyond rounding.");
  m.def("count_places", &border::count_places, "rows"_a, "tens"_a.noconvert(),
        "places"_a.noconvert(), "seconds"_a,
        "Raise the decimal places of each column to what its values need; -1 if 22 would not do.");
  m.def("column_ranges", &border::column_ranges, "rows"_a, "lowest"_a.noconvert(),
        "highest"_a.noconvert(), "greatest"_a.noconvert(), "seconds"_a,
        "The powers of two that are the ends of the bits of each column, and its largest size.");
  m.def("entry_residues", &border::entry_residues, "columns"_a.noconvert(),
        "values"_a.noconvert(), "lowest"_a.noconvert(), "tens"_a.noconvert(), "prime"_a,
        "found"_a.noconvert(), "seconds"_a, "The residues of entries, each of its column.");
  m.def("sum_of_rows", &border::sum_of_rows, "rows"_a, "lowest"_a.noconvert(),
        "tens"_a.noconvert(), "indices"_a.noconvert(), "factors"_a.noconvert(), "prime"_a,
        "sums"_a.noconvert(), "seconds"_a,
        "The sum of rows times factors modulo a prime, column by column.");
  m.def("score_residues", &border::score_residues, "rows"_a, "lowest"_a.noconvert(),
        "tens"_a.noconvert(), "indices"_a.noconvert(), "w"_a.noconvert(), "b"_a, "prime"_a,
        "scores"_a.noconvert(), "seconds"_a, "The scores of some rows modulo a prime.");
  m.def("eliminate_columns", &border::eliminate_columns, "M"_a.noconvert(), "done"_a, "start"_a,
        "prime"_a, "factors"_a.noconvert(), "found"_a.noconvert(), "seconds"_a,
        "Eliminate in some columns modulo a prime: how many are pivots, and which.");
  m.def("reduce_block", &border::reduce_block, "M"_a.noconvert(), "first_row"_a, "last_row"_a,
        "first_column"_a, "prime"_a, "Residues of whole numbers, in place.");
  m.def("sparse_echelon", &border::sparse_echelon, "indptr"_a.noconvert(), "indices"_a.noconvert(),
        "data"_a.noconvert(), "order"_a.noconvert(), "width"_a, "prime"_a, "most"_a, "seconds"_a,
        "Sparse rows in echelon form modulo a prime, and null vectors of them; or None.");
  m.def("rank_below", &border::rank_below, "indptr"_a.noconvert(), "indices"_a.noconvert(),
        "data"_a.noconvert(), "width"_a, "prime"_a, "seconds"_a,
        "For the verifier: the rank of sparse rows modulo a prime; -1 if it takes too much work.");
  m.def("doubled_sums", &border::doubled_sums, "A"_a.noconvert(), "group"_a.noconvert(),
        "alpha"_a.noconvert(), "n_groups"_a, "values"_a.noconvert(), "sizes"_a.noconvert(),
        "seconds"_a, "Rows times their factors over their bases, in doubled precision.");
}

}  // namespace novikoff
