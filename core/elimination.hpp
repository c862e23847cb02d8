// Gaussian elimination modulo a prime, of dense and of sparse rows.
//
// A rank modulo a prime is never too large. What is found here proposes; whoever uses it proves it on
// the rows themselves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "pace.hpp"
#include "residues.hpp"
#include "wider.hpp"

namespace novikoff {

// Dense: residues modulo a prime below 2²³, held in float64. A product is below 2⁴⁶, and a sum of
// COLUMNS of them below 2⁵²: nothing is rounded until the sum is reduced.
constexpr std::int64_t COLUMNS = 64, SMALL_PRIME = 1 << 23;

// Residues from 0 to prime − 1 of whole numbers below 2⁵³ in size.
WIDER_VECTORS inline void reduce(double* x, std::int64_t count, double prime) {
  const double inverse = 1.0 / prime;
  for (std::int64_t k = 0; k < count; ++k) {
    const double rest = x[k] - prime * std::floor(x[k] * inverse);
    // The quotient may have been rounded to the next whole number.
    x[k] = rest < 0.0 ? rest + prime : rest >= prime ? rest - prime : rest;
  }
}

WIDER_VECTORS inline void subtract_multiple(double* x, double factor, const double* y,
                                            std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k) x[k] -= factor * y[k];
}

// Some columns of the rows of a matrix that are not done yet.
struct Panel {
  double* M;
  std::int64_t n, width, done, start, end;

  double* row(std::int64_t i) const { return M + (done + i) * width; }
  std::int64_t rows() const { return n - done; }
  std::int64_t columns() const { return end - start; }
};

// Eliminate in the columns of the panel, with whole rows swapped, and find its pivots: the columns
// that are no combination of those before. Returns how many there are.
//
// The factors (1 on the diagonal) are such that factors · (new rows) are the old rows; to the right
// of the panel, the pivot rows are brought up to date, the others are left to the caller.
template <class Pause>
std::int64_t eliminate(const Panel& panel, std::int64_t prime, double* factors, bool* found,
                       Pause& pause) {
  const Modulus modulus(prime);
  const auto p = double(prime);
  const std::int64_t n = panel.rows(), columns = panel.columns();
  std::int64_t rank = 0;
  Pace pace(pause);
  for (std::int64_t j = panel.start; j < panel.end; ++j) {
    std::int64_t at = rank;
    while (at < n && panel.row(at)[j] == 0.0) ++at;
    pace(n);
    if (at == n) continue;
    if (at != rank) {
      std::swap_ranges(panel.row(at) + panel.start, panel.row(at) + panel.width,
                       panel.row(rank) + panel.start);
      std::swap_ranges(factors + at * columns, factors + at * columns + rank,
                       factors + rank * columns);
      pace(panel.width - panel.start);
    }
    const double* pivot = panel.row(rank);
    const std::int64_t inverse = modulus.inverse(std::int64_t(pivot[j]));
    factors[rank * columns + rank] = 1.0;
    for (std::int64_t i = rank + 1; i < n; ++i) {
      double* row = panel.row(i);
      if (row[j] == 0.0) continue;
      const auto factor = double(modulus.of(std::int64_t(row[j]) * inverse));
      factors[i * columns + rank] = factor;
      subtract_multiple(row + j, factor, pivot + j, panel.end - j);
      reduce(row + j, panel.end - j, p);
      pace(2 * columns);
    }
    found[j - panel.start] = true;
    ++rank;
  }
  const std::int64_t right = panel.width - panel.end;
  for (std::int64_t i = 1; i < rank; ++i) {
    double* row = panel.row(i) + panel.end;
    for (std::int64_t t = 0; t < i; ++t) {
      subtract_multiple(row, factors[i * columns + t], panel.row(t) + panel.end, right);
      pace(right);
    }
    reduce(row, right, p);
  }
  return rank;
}

// Sparse: every row is reduced by those before it, so that rows of dummies stay short if they come
// first, and columns that are rare.
struct SparseRows {
  const std::int64_t* starts;
  const std::int64_t* columns;
  const std::int64_t* values;
};

// Rows in echelon form, the first entry of each 1 and not stored: of the row whose first column is j,
// the other entries lie from begin[j] to end[j], and it came from row sources[j]. There is none if
// begin[j] < 0.
struct Echelon {
  std::vector<std::int64_t> begin, end, columns, values, sources;
};

constexpr std::int64_t MOST_STEPS = 4'000'000'000;  // multiplications: half a minute

// The rows in this order in echelon form; nothing if that is too much work.
template <class Pause>
std::optional<Echelon> echelon(const SparseRows& rows, const std::int64_t* order, std::int64_t n,
                               std::int64_t width, const Modulus& modulus, Pause& pause) {
  constexpr std::int64_t MOST_KEPT = 60'000'000;      // entries
  Echelon found;
  found.begin.assign(std::size_t(width), -1);
  found.end.assign(std::size_t(width), -1);
  found.sources.assign(std::size_t(width), -1);
  std::vector<std::int64_t> row(std::size_t(width), 0), heap;
  std::vector<char> waits(std::size_t(width), 0);
  std::int64_t steps = 0;
  Pace pace(pause);
  const auto wait = [&](std::int64_t j) {  // columns wait in a heap, the least one first
    if (waits[std::size_t(j)]) return;
    waits[std::size_t(j)] = 1;
    heap.push_back(j);
    std::push_heap(heap.begin(), heap.end(), std::greater<>{});
  };
  for (std::int64_t t = 0; t < n; ++t) {
    const std::int64_t i = order[t];
    for (std::int64_t k = rows.starts[i]; k < rows.starts[i + 1]; ++k) {
      row[std::size_t(rows.columns[k])] = rows.values[k];
      wait(rows.columns[k]);
    }
    pace(16 * (rows.starts[i + 1] - rows.starts[i]));
    while (!heap.empty()) {
      const auto j = std::size_t(heap.front());
      std::pop_heap(heap.begin(), heap.end(), std::greater<>{});
      heap.pop_back();
      waits[j] = 0;
      const std::int64_t factor = row[j];
      row[j] = 0;
      if (factor == 0) continue;
      if (found.begin[j] < 0) {  // what is left begins where no row does yet
        const std::int64_t inverse = modulus.inverse(factor);
        found.begin[j] = std::int64_t(found.columns.size());
        found.sources[j] = i;
        for (const std::int64_t c : heap) {
          std::int64_t& value = row[std::size_t(c)];
          if (value != 0) {
            found.columns.push_back(c);
            found.values.push_back(modulus.of(value * inverse));
          }
          value = waits[std::size_t(c)] = 0;
        }
        found.end[j] = std::int64_t(found.columns.size());
        heap.clear();
        break;
      }
      const std::int64_t minus = modulus.prime() - factor;
      for (std::int64_t k = found.begin[j]; k < found.end[j]; ++k) {
        const std::int64_t c = found.columns[std::size_t(k)];
        std::int64_t& value = row[std::size_t(c)];
        value = modulus.of(value + minus * found.values[std::size_t(k)]);
        wait(c);
      }
      const std::int64_t entries = found.end[j] - found.begin[j];
      steps += 1 + entries;
      pace(16 * entries);
    }
    if (steps > MOST_STEPS || std::int64_t(found.columns.size()) > MOST_KEPT) return std::nullopt;
  }
  return found;
}

// Sparse vectors, one after the other.
struct SparseVectors {
  std::vector<std::int64_t> starts{0}, columns, values;
};

// A vector for each free column: 1 there, 0 in the other free ones, orthogonal to all rows. False if
// they have more entries than `most`, or finding them is too much work.
template <class Pause>
bool null_vectors(const Echelon& rows, const std::vector<std::int64_t>& free, std::int64_t most,
                  const Modulus& modulus, SparseVectors& vectors, Pause& pause) {
  const auto width = std::int64_t(rows.begin.size());
  std::vector<std::int64_t> vector(std::size_t(width), 0);
  std::int64_t steps = 0;
  Pace pace(pause);
  for (const std::int64_t one : free) {
    steps += one;
    pace(one);
    vector[std::size_t(one)] = 1;
    for (std::int64_t j = one - 1; j >= 0; --j) {  // a row has no entry before its first
      const std::int64_t begin = rows.begin[std::size_t(j)], end = rows.end[std::size_t(j)];
      if (begin < 0) continue;
      ProductSum sum;
      for (std::int64_t k = begin; k < end; ++k)
        sum.add(rows.values[std::size_t(k)], vector[std::size_t(rows.columns[std::size_t(k)])]);
      vector[std::size_t(j)] = modulus.opposite(sum.modulo(modulus));
      pace(end - begin);
      steps += end - begin;
    }
    if (steps > MOST_STEPS) return false;
    for (std::int64_t j = 0; j <= one; ++j) {
      std::int64_t& value = vector[std::size_t(j)];
      if (value == 0) continue;
      vectors.columns.push_back(j);
      vectors.values.push_back(value);
      value = 0;
    }
    vectors.starts.push_back(std::int64_t(vectors.columns.size()));
    if (vectors.starts.back() > most) return false;
  }
  return true;
}

}  // namespace novikoff
