// Conflicts as vertices: a small simplex method that walks from one conflict to the next.
//
//     minimise c·α   over α ≥ 0, Uᵀα = 0, Σ αᵢ = 1        (U spans the columns of A: the rows yᵢx̂ᵢ)
//
// The vertices of this polyhedron are the conflicts: sets of rows that no plane serves, none of whose
// rows could be left out (Gleeson and Ryan, 1990). Every basis on the way is one, so a walk of a
// hundred pivots looks at a hundred conflicts and keeps those that the fractional cover x leaves
// uncovered (Σ x over the rows < 1). The basis is small (rank + 1), its inverse is kept explicitly,
// and a new cost starts from the old basis: a pivot costs one pass over the rows.
//
// If the forbidden rows cannot be avoided, the dual solution separates all the others. It gives row i a
// score of at least (the cost of the conflict) − cᵢ: where that may be negative, because forbidden rows
// have little weight in the conflict, the walk goes on with costs for the forbidden rows alone.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rows.hpp"
#include "wider.hpp"

namespace novikoff {

// The cost of a forbidden row: more than any cover.
constexpr double FORBIDDEN = 1e3;

// totals[i] = Σ vector[k]·(column k)[i] for `count` rows; the columns lie `apart` numbers apart.
WIDER_VECTORS inline void columns_times(const double* columns, std::int64_t apart,
                                        std::int64_t rank, const double* vector,
                                        std::int64_t count, double* totals) {
  std::fill_n(totals, count, 0.0);
  std::int64_t k = 0;
  for (; k + 4 <= rank; k += 4) {  // four at a time: totals are read and written less often
    const double *c0 = columns + k * apart, *c1 = c0 + apart, *c2 = c1 + apart, *c3 = c2 + apart;
    const double f0 = vector[k], f1 = vector[k + 1], f2 = vector[k + 2], f3 = vector[k + 3];
    for (std::int64_t i = 0; i < count; ++i)
      totals[i] = (((totals[i] + f0 * c0[i]) + f1 * c1[i]) + f2 * c2[i]) + f3 * c3[i];
  }
  for (; k < rank; ++k)
    for (std::int64_t i = 0; i < count; ++i) totals[i] += vector[k] * columns[k * apart + i];
}

// values[i] ← cost[i] − values[i] − shift, and the least of them.
WIDER_VECTORS inline double reduce_costs(const double* cost, double shift, std::int64_t count,
                                         double* values) {
  double least = std::numeric_limits<double>::infinity();
#pragma omp simd reduction(min : least)
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] = cost[i] - values[i] - shift;
    least = values[i] < least ? values[i] : least;
  }
  return least;
}

// Where a walk stands: the basic rows (n + k: artificial column k), and the inverse of their columns.
//
// `age` is the number of pivots since the inverse was fresh. It is negative where there is no basis
// yet, or where a pivot was interrupted. `separator` is the dual solution of a walk that could not
// avoid the forbidden rows.
struct WalkState {
  const double* columns;  // of U, one after the other
  std::int64_t n, rank;
  std::int64_t* basis;
  double* inverse;
  const double* right_sides;
  double* separator;
  std::int64_t* age;
};

// Conflicts that are kept, a line each, filled up with −1.
struct FoundConflicts {
  std::int64_t* lines;
  std::int64_t room, width, count;
};

template <class Pause>
class ConflictSimplex {
 public:
  ConflictSimplex(const WalkState& at, const double* cost, const double* x, FoundConflicts& found,
                  Pause& pause)
      : at_(at), n_(at.n), rank_(at.rank), m_(at.rank + 1), basis_(at.basis),
        inverse_(at.inverse), cost_(cost), x_(x), found_(found), pause_(pause), row_(rank_),
        dual_(m_), entered_(m_), values_(m_) {}

  // Walk to the conflict of the least cost, and keep uncovered ones; whether forbidden rows (those
  // whose cost is FORBIDDEN or more) cannot be avoided. Then at.separator has the w with positive
  // scores on all other rows.
  bool walk() {
    if (*at_.age < 0) start();
    if (!go_down() || !needs_forbidden()) return false;
    if (!separates()) {
      std::vector<double> forbidden_alone(cost_, cost_ + n_);
      for (double& cost : forbidden_alone) cost = cost >= FORBIDDEN ? FORBIDDEN : 0.0;
      const double* const given = std::exchange(cost_, forbidden_alone.data());
      const bool is_unavoidable = go_down() && needs_forbidden();
      cost_ = given;
      if (!is_unavoidable) return false;
    }
    for (std::int64_t k = 0; k < rank_; ++k) at_.separator[k] = -dual_[k];
    return true;
  }

  // Go down from the conflict at hand to neighbours that x covers less.
  //
  // The linear program minimises Σ xᵢαᵢ, which is not Σ xᵢ over the rows with an α: here it is the
  // latter that decides. A neighbour has one row for another, which the ratio test tells.
  void sharpen() {
    is_basic_.assign(n_, 0);
    for (std::int64_t i = 0; i < m_; ++i)
      if (basis_[i] < n_) is_basic_[basis_[i]] = 1;
    Batch batch{std::vector<double>(rank_ * Batch::ROOM), std::vector<double>(m_ * Batch::ROOM)};
    for (std::int64_t k = 0, most = most_exchanges(); k < most; ++k) {
      const auto [j, r] = best_exchange(batch);
      if (j < 0) return;
      is_basic_[basis_[r]] = 0;
      is_basic_[j] = 1;
      enter(j);
      pivot(r, j);
      keep();
    }
  }

 private:
  static constexpr double TOLERANCE = 1e-9;
  // An α above this is taken to be there: what it leads to is proven, or not used.
  static constexpr double POSITIVE = 1e-8;
  static constexpr double UNCOVERED = 1.0 - 1e-3;
  static constexpr std::int64_t REFACTOR = 60;  // pivots between two fresh inverses
  static constexpr std::int64_t WIDE = 300;  // a wider basis keeps its inverse from walk to walk
  static constexpr std::int64_t WIDEST = 1000;  // and still wider ones for good: it takes seconds
  static constexpr double MOST_PIVOTS = 2000, MOST_EXCHANGES = 20;
  static constexpr double MOST_WORK = 1e9;  // multiplications of one walk, about
  static constexpr std::int64_t WORK_PER_BLOCK = 1'000'000;

  std::int64_t most_pivots() const {
    const double n = double(n_), m = double(m_);
    const double fresh = m_ <= WIDEST ? m * m * m / double(REFACTOR) : 0.0;
    const double pivot = n * m + 2 * m * m + fresh;
    return std::int64_t(std::min(MOST_PIVOTS, 20 + std::floor(MOST_WORK / pivot)));
  }

  std::int64_t most_exchanges() const {
    const double exchange = double(n_) * double(m_) * double(m_);
    return std::int64_t(std::min(MOST_EXCHANGES, MOST_WORK / exchange));
  }

  double* inverse_row(std::int64_t i) const { return inverse_ + i * m_; }
  bool is_forbidden(std::int64_t place) const {
    return basis_[place] >= n_ || cost_[basis_[place]] >= FORBIDDEN;
  }

  // f(i) for each i, with pauses; `work` is what one of them costs.
  template <class F>
  void for_each(std::int64_t count, std::int64_t work, F&& f) {
    const std::int64_t block = 1 + WORK_PER_BLOCK / work;
    for (std::int64_t begin = 0; begin < count; begin += block) {
      const std::int64_t end = std::min(count, begin + block);
      for (std::int64_t i = begin; i < end; ++i) f(i);
      if (end < count) pause_();
    }
  }

  // Pivot after pivot, keeping uncovered conflicts; whether the least cost was reached.
  bool go_down() {
    for (std::int64_t step = 0, most = most_pivots(); step < most; ++step) {
      pause_();
      if ((step == 0 && m_ <= WIDE) || (*at_.age >= REFACTOR && m_ <= WIDEST)) refactor();
      price();
      const std::int64_t j = entering_row();
      if (j < 0) return true;
      enter(j);
      multiply(at_.right_sides, values_);
      const std::int64_t r = leaving_place(entered_.data());
      if (r < 0) return false;
      pivot(r, j);
      keep();
    }
    return false;
  }

  // A basis of nothing but artificial columns.
  void start() {
    *at_.age = -1;
    std::fill_n(inverse_, m_ * m_, 0.0);
    for (std::int64_t k = 0; k < m_; ++k) {
      inverse_row(k)[k] = 1.0;
      basis_[k] = n_ + k;
    }
    *at_.age = 0;
  }

  // product = inverse · vector
  void multiply(const double* vector, std::vector<double>& product) {
    for_each(m_, m_, [&](std::int64_t i) { product[i] = dot(inverse_row(i), vector, m_); });
  }

  // entered_ = inverse · (U_j, 1), the column of row j
  void enter(std::int64_t j) {
    for (std::int64_t k = 0; k < rank_; ++k) row_[k] = at_.columns[k * n_ + j];
    for_each(m_, m_, [&](std::int64_t i) {
      entered_[i] = dot(inverse_row(i), row_.data(), rank_) + inverse_row(i)[rank_];
    });
  }

  // Rows that might enter, together: their columns, and inverse · their columns, a line a place.
  struct Batch {
    static constexpr std::int64_t ROOM = 64;
    std::vector<double> columns, entered;
    std::array<std::int64_t, ROOM> rows{};
    std::int64_t size = 0;
  };

  struct Exchange {
    std::int64_t row, place;
  };

  // The row that x covers least beside the one that would leave for it, and the place of that one.
  Exchange best_exchange(Batch& batch) {
    double highest = 0.0, best_gain = 1e-9;
    for (std::int64_t i = 0; i < m_; ++i)
      if (basis_[i] < n_) highest = std::max(highest, x_[basis_[i]]);
    multiply(at_.right_sides, values_);
    Exchange best{-1, -1};
    for (std::int64_t j = 0; j < n_;) {
      for (batch.size = 0; j < n_ && batch.size < Batch::ROOM; ++j)
        if (!is_basic_[j] && cost_[j] < FORBIDDEN && x_[j] < highest - best_gain)
          batch.rows[batch.size++] = j;
      enter_batch(batch);
      for (std::int64_t b = 0; b < batch.size; ++b) {
        const double x_b = x_[batch.rows[b]];
        if (x_b >= highest - best_gain) continue;
        const std::int64_t r = leaving_place(batch.entered.data() + b, Batch::ROOM);
        if (r < 0 || basis_[r] >= n_ || !(x_[basis_[r]] - x_b > best_gain)) continue;
        best = {batch.rows[b], r};
        best_gain = x_[basis_[r]] - x_b;
      }
    }
    return best;
  }

  void enter_batch(Batch& batch) {
    constexpr std::int64_t ROOM = Batch::ROOM;
    for (std::int64_t k = 0; k < rank_; ++k)
      for (std::int64_t b = 0; b < batch.size; ++b)
        batch.columns[k * ROOM + b] = at_.columns[k * n_ + batch.rows[b]];
    for_each(m_, rank_ * ROOM, [&](std::int64_t i) {
      double* entered = batch.entered.data() + i * ROOM;
      columns_times(batch.columns.data(), ROOM, rank_, inverse_row(i), batch.size, entered);
      for (std::int64_t b = 0; b < batch.size; ++b) entered[b] += inverse_row(i)[rank_];
    });
    pause_();
  }

  // Row j enters where the r-th of the basis leaves; entered_ is inverse · its column.
  void exchange(std::int64_t r, std::int64_t j) {
    double* pivot_row = inverse_row(r);
    for (std::int64_t k = 0; k < m_; ++k) pivot_row[k] /= entered_[r];
    for_each(m_, m_, [&](std::int64_t i) {
      if (i != r && entered_[i] != 0.0) axpy(pivot_row, -entered_[i], inverse_row(i), m_);
    });
    basis_[r] = j;
  }

  void pivot(std::int64_t r, std::int64_t j) {
    const std::int64_t age = *at_.age;
    *at_.age = -1;
    exchange(r, j);
    *at_.age = age + 1;
  }

  // The inverse afresh: every basic row enters a basis of artificial columns, largest first.
  void refactor() {
    const std::vector<std::int64_t> wanted(basis_, basis_ + m_);
    std::vector<char> is_free(m_, 1);
    for (const std::int64_t j : wanted)
      if (j >= n_) is_free[j - n_] = 0;
    start();
    *at_.age = -1;
    for (const std::int64_t j : wanted) {
      if (j >= n_) continue;
      enter(j);
      std::int64_t r = -1;
      double largest = TOLERANCE;
      for (std::int64_t i = 0; i < m_; ++i) {
        if (is_free[i] && std::abs(entered_[i]) > largest) {
          r = i;
          largest = std::abs(entered_[i]);
        }
      }
      if (r < 0) continue;  // the row has become dependent: an artificial column stays in its place
      is_free[r] = 0;
      exchange(r, j);
      pause_();
    }
    *at_.age = 0;
  }

  void price() {
    std::fill(dual_.begin(), dual_.end(), 0.0);
    for_each(m_, m_, [&](std::int64_t i) {
      const double basic_cost = basis_[i] < n_ ? cost_[basis_[i]] : FORBIDDEN;
      if (basic_cost != 0.0) axpy(inverse_row(i), basic_cost, dual_.data(), m_);
    });
  }

  // The row whose reduced cost is least, or −1 where none is negative.
  std::int64_t entering_row() {
    constexpr std::int64_t TOGETHER = 512;
    std::array<double, TOGETHER> reduced;
    std::int64_t j = -1, pauses = 0;
    double least = -TOLERANCE;
    for (std::int64_t start = 0; start < n_; start += TOGETHER) {
      const std::int64_t count = std::min(TOGETHER, n_ - start);
      columns_times(at_.columns + start, n_, rank_, dual_.data(), count, reduced.data());
      const double lowest = reduce_costs(cost_ + start, dual_[rank_], count, reduced.data());
      if (lowest < least) {
        least = lowest;
        j = start + (std::find(reduced.data(), reduced.data() + count, lowest) - reduced.data());
      }
      if ((start + TOGETHER) * rank_ / WORK_PER_BLOCK > pauses) {
        ++pauses;
        pause_();
      }
    }
    return j;
  }

  // The place in the basis that reaches 0 first, or −1; entered has a number a place.
  std::int64_t leaving_place(const double* entered, std::int64_t step = 1) const {
    std::int64_t r = -1;
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < m_; ++i) {
      const double change = entered[i * step];
      if (!(change > TOLERANCE)) continue;
      const double ratio = std::max(values_[i], 0.0) / change;
      if (ratio < least) {
        r = i;
        least = ratio;
      }
    }
    return r;
  }

  // Whether a row of the conflict at hand is forbidden.
  bool needs_forbidden() const {
    for (std::int64_t i = 0; i < m_; ++i)
      if (is_forbidden(i) && inverse_row(i)[rank_] > POSITIVE) return true;
    return false;
  }

  // Whether the dual solution has a positive score on each row that is not forbidden, by its costs.
  bool separates() const {
    return std::none_of(cost_, cost_ + n_, [&](double cost) {
      return cost < FORBIDDEN && cost >= dual_[rank_];
    });
  }

  // Keep the conflict at hand if there is room, x leaves it uncovered, and nothing is forbidden.
  void keep() {
    if (found_.count == found_.room) return;
    double total = 0.0;
    for (std::int64_t i = 0; i < m_; ++i) {
      if (!(inverse_row(i)[rank_] > POSITIVE)) continue;
      if (is_forbidden(i)) return;
      total += x_[basis_[i]];
    }
    if (total > UNCOVERED) return;
    std::int64_t* line = found_.lines + found_.count * found_.width;
    std::fill_n(line, found_.width, std::int64_t{-1});
    for (std::int64_t i = 0; i < m_; ++i)
      if (inverse_row(i)[rank_] > POSITIVE) line[i] = basis_[i];
    ++found_.count;
  }

  const WalkState at_;
  const std::int64_t n_, rank_, m_;
  std::int64_t* const basis_;
  double* const inverse_;
  const double* cost_;
  const double* const x_;
  FoundConflicts& found_;
  Pause& pause_;
  std::vector<char> is_basic_;
  std::vector<double> row_, dual_, entered_, values_;
};

}  // namespace novikoff
