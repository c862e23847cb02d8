// The point of a polytope nearest to the origin, in floating point: a guide, never a proof.
//
//     minimise ‖Σ αᵢaᵢ‖²   over α ≥ 0, with Σ αᵢ = 1 in each group of rows
//
// Wolfe's active-set method ("Finding the nearest point in a polytope", Mathematical Programming 11,
// 1976), on dense rows. Carried along is the QR factorisation of the *differences* aᵢ − base of the
// active rows to one of them, the base of their group; a factorisation of the points themselves stalls
// when they are far from the origin and close to each other. A new row is orthogonalised twice, a row
// leaves by Givens rotations, and a base hands over to the first of its group, which only subtracts
// one column from later ones and so keeps R triangular.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "pace.hpp"
#include "rows.hpp"
#include "signs.hpp"
#include "wider.hpp"

namespace novikoff {

// The rows aᵢ and the group of each.
struct Polytope {
  const double* A;
  const std::int64_t* group;
  std::int64_t m, d;

  const double* row(std::int64_t i) const { return A + i * d; }
};

// The active rows: one base a group, and columns for the others, with the QR of differences.
//
// Qt holds Q transposed. `point` is the nearest point of the affine hull, and `along` are the
// coordinates of the sum of the bases along Q. `alpha` has the columns first and then, behind all the
// room for columns, the bases. Python holds the memory.
struct ActiveRows {
  std::int64_t* bases;
  std::int64_t* columns;
  double* alpha;
  double* Qt;
  double* R;
  double* point;
  double* along;
  std::int64_t* size;  // the number of columns
  bool* is_active;
  std::int64_t groups, room;
};

// How a solve ended (the numbers are those of `separability/search/wolfe.py`).
enum class Nearest : int {
  BEST = 0,     // no row lies below the level of its group
  ZERO = 1,     // the point is 0, as far as floating point can tell
  STALLED = 2,  // rounding stopped the norm from decreasing, or the rounds are over
  FULL = 3      // there is no room for another active row
};

// The eight products of four rows q with two rows v.
WIDER_VECTORS inline void products_4x2(const double* q, const double* v, std::int64_t d,
                                       double* products) {
  const double *q0 = q, *q1 = q + d, *q2 = q + 2 * d, *q3 = q + 3 * d, *v0 = v, *v1 = v + d;
  double p00 = 0.0, p10 = 0.0, p20 = 0.0, p30 = 0.0, p01 = 0.0, p11 = 0.0, p21 = 0.0, p31 = 0.0;
#pragma omp simd reduction(+ : p00, p10, p20, p30, p01, p11, p21, p31)
  for (std::int64_t j = 0; j < d; ++j) {
    p00 += q0[j] * v0[j], p10 += q1[j] * v0[j], p20 += q2[j] * v0[j], p30 += q3[j] * v0[j];
    p01 += q0[j] * v1[j], p11 += q1[j] * v1[j], p21 += q2[j] * v1[j], p31 += q3[j] * v1[j];
  }
  products[0] = p00, products[1] = p10, products[2] = p20, products[3] = p30;
  products[4] = p01, products[5] = p11, products[6] = p21, products[7] = p31;
}

// Each of the two rows v loses its products times the four rows q.
WIDER_VECTORS inline void subtract_4x2(const double* __restrict q, double* __restrict v,
                                       std::int64_t d, const double* __restrict products) {
  const double *q0 = q, *q1 = q + d, *q2 = q + 2 * d, *q3 = q + 3 * d;
  const double p00 = products[0], p10 = products[1], p20 = products[2], p30 = products[3];
  const double p01 = products[4], p11 = products[5], p21 = products[6], p31 = products[7];
  double *__restrict v0 = v, *__restrict v1 = v + d;
#pragma omp simd
  for (std::int64_t j = 0; j < d; ++j) {
    v0[j] -= (p00 * q0[j] + p10 * q1[j]) + (p20 * q2[j] + p30 * q3[j]);
    v1[j] -= (p01 * q0[j] + p11 * q1[j]) + (p21 * q2[j] + p31 * q3[j]);
  }
}

// A Givens rotation of two rows.
WIDER_VECTORS inline void rotate(double* __restrict upper, double* __restrict lower,
                                 std::int64_t count, double cosine, double sine) {
  for (std::int64_t t = 0; t < count; ++t) {
    const double above = upper[t], beneath = lower[t];
    upper[t] = cosine * above + sine * beneath;
    lower[t] = cosine * beneath - sine * above;
  }
}

template <class Between>
class NearestPoint {
 public:
  // Goes on from the active rows, which it changes.
  NearestPoint(const Polytope& points, const ActiveRows& active, Between& pause)
      : points_(points), d_(points.d), active_(active), k_(*active.size), pace_(pause),
        target_(std::size_t(active.room + active.groups)), levels_(std::size_t(active.groups)) {}

  Nearest solve(std::int64_t most_rounds) {
    double* const point = active_.point;
    const double longest = longest_row();
    double shortest = std::numeric_limits<double>::infinity();
    std::int64_t without_progress = 0;
    // What is carried is recomputed at once: it may come from an earlier solve.
    std::int64_t since_refresh = REFRESH;
    std::int64_t entering[MOST_ENTERING];
    for (std::int64_t round = 0; round < most_rounds; ++round) {
      if (since_refresh == REFRESH) {
        refresh();
        since_refresh = 0;
      }
      ++since_refresh;
      if (!to_affine_minimum()) continue;
      const double norm = std::sqrt(dot(point, point, d_));
      if (k_ == d_ || norm <= 4 * UNIT * longest) return Nearest::ZERO;
      without_progress = norm >= shortest ? without_progress + 1 : 0;
      shortest = std::min(norm, shortest);
      if (without_progress > 8) return Nearest::STALLED;
      const double slack = norm * (1e-13 * norm + 4 * UNIT * longest);
      const std::int64_t most =
          std::min({active_.room - k_, d_ - k_, 1 + k_ / 16, MOST_ENTERING});
      if (most == 0) return Nearest::FULL;
      const std::int64_t count = price(slack, entering, most);
      if (count > 0) insert(entering, count);
      else if (since_refresh == 1) return Nearest::BEST;
      else since_refresh = REFRESH;  // look again with fresh numbers
    }
    return Nearest::STALLED;
  }

 private:
  static constexpr std::int64_t BLOCK = 64;  // rows priced together, for each that may enter
  static constexpr std::int64_t MOST_ENTERING = 32;
  static constexpr std::int64_t REFRESH = 64;  // rounds between recomputing what is updated

  double* q(std::int64_t j) const { return active_.Qt + j * d_; }
  double* r(std::int64_t i) const { return active_.R + i * active_.room; }
  std::int64_t group_of(std::int64_t column) const {
    return points_.group[active_.columns[column]];
  }

  double longest_row() {
    double largest = 0.0;
    for (std::int64_t i = 0; i < points_.m; ++i) {
      largest = std::max(largest, sqnorm(points_.row(i), d_));
      pace_(d_);
    }
    return std::sqrt(largest);
  }

  // Put the rows furthest below their level into `entering`, of the first block that has any; how
  // many they are. The next search begins at the block behind.
  std::int64_t price(double slack, std::int64_t* entering, std::int64_t most) {
    const std::int64_t m = points_.m;
    for (std::int64_t g = 0; g < active_.groups; ++g)
      levels_[std::size_t(g)] = dot(points_.row(active_.bases[g]), active_.point, d_);
    const std::int64_t size = std::max(BLOCK * most, k_), blocks = (m + size - 1) / size;
    double below[MOST_ENTERING];
    for (std::int64_t step = 0; step < blocks; ++step) {
      const std::int64_t at = (next_block_ + step) % blocks;
      std::int64_t count = 0;
      for (std::int64_t i = at * size; i < std::min((at + 1) * size, m); ++i) {
        pace_(d_);
        const double level = levels_[std::size_t(points_.group[i])];
        const double value = level - dot(points_.row(i), active_.point, d_);
        if (value <= slack || active_.is_active[i] || (count == most && value <= below[most - 1]))
          continue;
        count = std::min(count + 1, most);
        std::int64_t place = count - 1;
        for (; place > 0 && below[place - 1] < value; --place)
          below[place] = below[place - 1], entering[place] = entering[place - 1];
        below[place] = value, entering[place] = i;
      }
      if (count > 0) {
        next_block_ = at + 1;
        return count;
      }
    }
    return 0;
  }

  // Move α to the affine minimum and say true, or as far as the signs allow, and drop a row.
  bool to_affine_minimum() {
    const std::int64_t k = k_, groups = active_.groups;
    double* const target = target_.data();
    std::fill_n(target, k + groups, 1.0);
    for (std::int64_t j = k - 1; j >= 0; --j) {
      const double later = dot(r(j) + j + 1, target + j + 1, k - j - 1);
      target[j] = -(active_.along[j] + later) / r(j)[j];
      target[k + group_of(j)] -= target[j];
      pace_(k - j);
    }
    double step = 1.0;
    std::int64_t leaving = -1;
    for (std::int64_t j = 0; j < k + groups; ++j) {
      if (!(target[j] <= 0.0)) continue;
      const double now = alpha(j), ratio = now > target[j] ? now / (now - target[j]) : 0.0;
      if (leaving < 0 || ratio < step) step = ratio, leaving = j;
    }
    for (std::int64_t j = 0; j < k + groups; ++j) alpha(j) += step * (target[j] - alpha(j));
    if (leaving < 0) return true;
    if (leaving < k) drop(leaving);
    else rebase(leaving - k);
    return false;
  }

  // α of a column, or of a base where j counts on behind the columns.
  double& alpha(std::int64_t j) {
    return active_.alpha[j < k_ ? j : active_.room + j - k_];
  }

  // New columns for some rows, with α = 0; a row that depends on the others is left out.
  void insert(const std::int64_t* entering, std::int64_t count) {
    const std::int64_t width = k_ + count;
    V_.assign(std::size_t((count + count % 2) * d_), 0.0);  // rows of 0 make the number even
    coordinates_.assign(std::size_t((count + count % 2) * width), 0.0);
    double lengths[MOST_ENTERING];
    for (std::int64_t t = 0; t < count; ++t) {
      const double *a = points_.row(entering[t]), *base = base_of(entering[t]);
      double* v = V_.data() + t * d_;
      for (std::int64_t j = 0; j < d_; ++j) v[j] = a[j] - base[j];
      lengths[t] = std::sqrt(sqnorm(v, d_));
    }
    take_out(count, width);
    take_out(count, width);  // twice is enough
    std::int64_t now = k_;
    for (std::int64_t t = 0; t < count; ++t) {
      const double* v = V_.data() + t * d_;
      const double length = std::sqrt(sqnorm(v, d_));
      if (length <= 4 * UNIT * lengths[t]) continue;
      for (std::int64_t j = 0; j < now; ++j) r(j)[now] = coordinates_[std::size_t(t * width + j)];
      r(now)[now] = length;
      double* const fresh = q(now);
      for (std::int64_t j = 0; j < d_; ++j) fresh[j] = v[j] / length;
      for (std::int64_t later = 2 * (t + 1); later < 2 * count; ++later) {
        double* other = V_.data() + later / 2 * d_;
        const double part = dot(fresh, other, d_);
        coordinates_[std::size_t(later / 2 * width + now)] += part;
        axpy(fresh, -part, other, d_);
      }
      active_.columns[now] = entering[t];
      active_.alpha[now] = 0.0;
      active_.is_active[entering[t]] = true;
      // The point loses its part along the new direction; that is where `along` has to grow.
      active_.along[now] = dot(fresh, active_.point, d_);
      axpy(fresh, -active_.along[now], active_.point, d_);
      ++now;
      pace_(4 * d_ * (count - t));
    }
    k_ = now;
  }

  const double* base_of(std::int64_t i) const {
    return points_.row(active_.bases[points_.group[i]]);
  }

  // Subtract from each new row v its parts along Q, and add these to its coordinates.
  void take_out(std::int64_t count, std::int64_t width) {
    std::int64_t j = 0;
    for (; j + 4 <= k_; j += 4) {
      for (std::int64_t t = 0; t < count; t += 2) {
        double parts[8];
        products_4x2(q(j), V_.data() + t * d_, d_, parts);
        subtract_4x2(q(j), V_.data() + t * d_, d_, parts);
        double* const first = coordinates_.data() + t * width + j;
        for (std::int64_t s = 0; s < 4; ++s) first[s] += parts[s], first[s + width] += parts[s + 4];
      }
      pace_(8 * d_ * count);
    }
    for (; j < k_; ++j) {
      for (std::int64_t t = 0; t < count; ++t) {
        double* const v = V_.data() + t * d_;
        const double part = dot(q(j), v, d_);
        coordinates_[std::size_t(t * width + j)] += part;
        axpy(q(j), -part, v, d_);
      }
    }
  }

  // Drop a column: rotate R back to triangular, and give its direction back to the point.
  void drop(std::int64_t at) {
    const std::int64_t k = k_;
    double* const along = active_.along;
    active_.is_active[active_.columns[at]] = false;
    for (std::int64_t j = at; j + 1 < k; ++j) {
      active_.columns[j] = active_.columns[j + 1];
      active_.alpha[j] = active_.alpha[j + 1];
    }
    for (std::int64_t i = 0; i < k; ++i) {
      const std::int64_t first = std::max(at, i - 1);
      std::copy(r(i) + first + 1, r(i) + k, r(i) + first);
      pace_(k - first);
    }
    for (std::int64_t i = at; i + 1 < k; ++i) {
      const double radius = std::hypot(r(i)[i], r(i + 1)[i]);
      if (radius == 0.0) continue;
      const double cosine = r(i)[i] / radius, sine = r(i + 1)[i] / radius;
      rotate(r(i) + i, r(i + 1) + i, k - 1 - i, cosine, sine);
      rotate(q(i), q(i + 1), d_, cosine, sine);
      rotate(along + i, along + i + 1, 1, cosine, sine);
      pace_(4 * (d_ + k - i));
    }
    k_ = k - 1;
    axpy(q(k_), along[k_], active_.point, d_);
  }

  // The base of group g leaves; the first column of the group takes its place. There is one: α of the
  // base is 1 less those of the columns.
  void rebase(std::int64_t g) {
    const std::int64_t k = k_;
    std::int64_t first = 0;
    while (group_of(first) != g) ++first;
    const std::int64_t new_base = active_.columns[first];
    for (std::int64_t i = 0; i <= first; ++i) {
      active_.along[i] += r(i)[first];
      for (std::int64_t j = first + 1; j < k; ++j)
        if (group_of(j) == g) r(i)[j] -= r(i)[first];
      pace_(k - first);
    }
    active_.alpha[active_.room + g] = active_.alpha[first];
    active_.is_active[active_.bases[g]] = false;
    drop(first);
    active_.bases[g] = new_base;
    active_.is_active[new_base] = true;
  }

  // Recompute what has been updated: the point and its coordinates, from the bases and Q.
  void refresh() {
    double* const point = active_.point;
    std::fill_n(point, d_, 0.0);
    for (std::int64_t g = 0; g < active_.groups; ++g)
      axpy(points_.row(active_.bases[g]), 1.0, point, d_);
    std::fill_n(active_.along, k_, 0.0);
    for (int again = 0; again < 2; ++again) {
      for (std::int64_t j = 0; j < k_; ++j) {
        const double part = dot(q(j), point, d_);
        active_.along[j] += part;
        axpy(q(j), -part, point, d_);
        pace_(2 * d_);
      }
    }
  }

  const Polytope& points_;
  const std::int64_t d_;
  const ActiveRows& active_;
  std::int64_t& k_;  // the number of columns
  Pace<Between> pace_;
  std::vector<double> target_, levels_, V_, coordinates_;
  std::int64_t next_block_ = 0;
};

}  // namespace novikoff
