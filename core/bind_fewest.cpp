// The search for fewest errors: conflicts, covering, line search.

#include <chrono>

#include "border.hpp"
#include "cones.hpp"
#include "conflict_simplex.hpp"
#include "covering.hpp"
#include "line_search.hpp"
#include "modules.hpp"
#include "pause.hpp"

namespace novikoff {

namespace border {

struct TimeIsUp {};

// As `Pause`, but Python says when time is up, and what was found until then is returned.
//
// The search runs on several threads, and Ctrl-C reaches one of them alone: it ends the time of all.
class UntilLate {
  using Clock = std::chrono::steady_clock;

 public:
  explicit UntilLate(nb::callable is_late) : is_late_(is_late) {}

  void operator()() {
    ++pauses;
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + EVERY;
    nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (nb::cast<bool>(is_late_())) throw TimeIsUp();
  }

 private:
  static constexpr std::chrono::milliseconds EVERY{20};
  nb::callable is_late_;
  nb::gil_scoped_release without_lock_;  // released last, taken back first
  Clock::time_point next_ = Clock::now();
};

// A walk as `fewest/search.py` makes it: a named tuple of arrays.
struct Walk {
  Grid<const double> columns;
  Line<std::int64_t> basis;
  Grid<double> inverse;
  Line<const double> right_sides;
  Line<double> separator;
  Line<std::int64_t> age;

  explicit Walk(nb::tuple at) {
    require(at.size() == 6, "a walk has columns, basis, inverse, right sides, separator and age.");
    columns = nb::cast<Grid<const double>>(at[0], false);
    basis = nb::cast<Line<std::int64_t>>(at[1], false);
    inverse = nb::cast<Grid<double>>(at[2], false);
    right_sides = nb::cast<Line<const double>>(at[3], false);
    separator = nb::cast<Line<double>>(at[4], false);
    age = nb::cast<Line<std::int64_t>>(at[5], false);
    const std::size_t rank = columns.shape(0), m = rank + 1;
    require(rank > 0 && separator.size() == rank && age.size() == 1,
            "there must be columns, a separator of as many numbers, and one age.");
    require(basis.size() == m && inverse.shape(0) == m && inverse.shape(1) == m &&
                right_sides.size() == m,
            "the basis must have one row more than there are columns.");
    const auto count = std::int64_t(columns.shape(1) + m);
    for (std::size_t i = 0; i < m && *age.data() >= 0; ++i)
      require(0 <= basis.data()[i] && basis.data()[i] < count, "the basis must name columns.");
  }

  WalkState state() const {
    return {columns.data(), std::int64_t(columns.shape(1)), std::int64_t(columns.shape(0)),
            basis.data(),   inverse.data(),
            right_sides.data(), separator.data(), age.data()};
  }
};

nb::tuple enumerate_conflicts(nb::tuple at, Line<const double> cost, Line<const double> x,
                              Grid<std::int64_t> lines, std::int64_t count, bool sharpen,
                              nb::callable is_late) {
  const Walk walk(at);
  const std::size_t n = walk.columns.shape(1);
  require(cost.size() == n && x.size() == n, "each row has a cost and an x.");
  FoundConflicts found{lines.data(), std::int64_t(lines.shape(0)), std::int64_t(lines.shape(1)),
                       count};
  require(0 <= count && count <= found.room, "there must be lines for the conflicts.");
  require(found.room == 0 || lines.shape(1) == walk.basis.size(),
          "a line must have room for the rows of a basis.");
  bool is_unavoidable = false;
  {
    UntilLate pause(is_late);
    ConflictSimplex simplex(walk.state(), cost.data(), x.data(), found, pause);
    try {
      is_unavoidable = simplex.walk();
      if (sharpen && !is_unavoidable) simplex.sharpen();
    } catch (const TimeIsUp&) {
    }
  }
  return nb::make_tuple(is_unavoidable, found.count);
}

double descend(Grid<const double> U, Line<const double> weights, Line<double> plane,
               std::int64_t steps, nb::capsule bit_generator, nb::callable is_late) {
  const auto n = std::int64_t(U.shape(0)), rank = std::int64_t(U.shape(1));
  require(n > 0 && rank > 0, "there must be rows and columns.");
  require(std::int64_t(weights.size()) == n && std::int64_t(plane.size()) == rank,
          "each row has a weight, each column a number of the plane.");
  const void* bits = PyCapsule_GetPointer(bit_generator.ptr(), "BitGenerator");
  if (bits == nullptr) throw nb::python_error();
  UntilLate pause(is_late);
  LineSearch search(U.data(), n, rank, weights.data(),
                    Random(*static_cast<const BitGenerator*>(bits)), pause);
  try {
    search.descend(plane.data(), steps);
  } catch (const TimeIsUp&) {
  }
  return search.best_loss();
}

nb::tuple search_cones(Grid<const double> rows, Line<const double> weights, double upper,
                       std::int64_t most_nodes, int most_depth, nb::callable is_late) {
  const std::size_t n = rows.shape(0), r = rows.shape(1);
  require(1 <= r && r <= MOST_VECTORS, "there must be 1 to 6 vectors.");
  require(weights.size() == n, "each row has a weight.");
  require(0 <= most_depth && most_depth <= 256, "cones are halved 256 times at most.");
  bool is_whole = false;
  double best = upper;
  nb::list plane;
  nb::bytes tree;
  UntilLate pause(is_late);
  ConeSearch search(rows.data(), weights.data(), std::int64_t(n), int(r), upper, most_nodes,
                    most_depth, pause);
  try {
    is_whole = search.run();
  } catch (const TimeIsUp&) {
  }
  nb::gil_scoped_acquire lock;
  for (const double value : search.plane()) plane.append(value);
  tree = nb::bytes(search.tree().data(), search.tree().size());
  return nb::make_tuple(is_whole, search.best(), plane, tree);
}

void cover_sums(Grid<const std::int64_t> table, Line<const double> x, Line<double> sums) {
  require(sums.size() <= table.shape(0), "there is no line for each sum.");
  bool all_exist;
  {
    Pause pause;
    all_exist = novikoff::cover_sums(table.data(), std::int64_t(sums.size()),
                                     std::int64_t(table.shape(1)), x.data(),
                                     std::int64_t(x.size()), sums.data(), pause);
  }
  require(all_exist, "conflicts must name rows that exist.");
}

}  // namespace border

void bind_fewest(nb::module_& m) {
  m.attr("FORBIDDEN") = FORBIDDEN;
  m.attr("RIGHT") = RIGHT;
  m.def("enumerate_conflicts", &border::enumerate_conflicts, "at"_a, "cost"_a.noconvert(),
        "x"_a.noconvert(), "found"_a.noconvert(), "count"_a, "sharpen"_a, "is_late"_a,
        "Walk to the conflict of the least cost: whether FORBIDDEN rows are unavoidable, and count.");
  m.def("descend", &border::descend, "U"_a.noconvert(), "weights"_a.noconvert(),
        "plane"_a.noconvert(), "steps"_a, "bit_generator"_a, "is_late"_a,
        "Line searches from a plane, which becomes the last of the best ones; its loss.");
  m.def("search_cones", &border::search_cones, "rows"_a.noconvert(), "weights"_a.noconvert(),
        "upper"_a, "most_nodes"_a, "most_depth"_a, "is_late"_a,
        "Halve cones of planes: whether all were settled, the fewest errors, a plane, the tree.");
  m.def("cover_sums", &border::cover_sums, "table"_a.noconvert(), "x"_a.noconvert(),
        "sums"_a.noconvert(), "Σ x over the rows of each line, up to its first negative number.");
}

}  // namespace novikoff
