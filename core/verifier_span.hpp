// The rank of sparse rows modulo a prime, for the verifier: it is never above the rank.
//
// The verifier shares no arithmetic with the prover: this file does not include elimination.hpp. Rows
// are lists of entries in the order of their columns, and a row minus a multiple of another is the
// merge of two lists.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "pace.hpp"

namespace novikoff::verifier {

struct Entry {
  std::int64_t column, residue;
};
using SparseRow = std::vector<Entry>;

// base^exponent modulo a prime below 2³¹.
inline std::int64_t power(std::int64_t base, std::int64_t exponent, std::int64_t prime) {
  std::int64_t result = 1;
  for (; exponent > 0; exponent /= 2, base = base * base % prime)
    if (exponent % 2 == 1) result = result * base % prime;
  return result;
}

// row − factor · pivot, whose first entries cancel.
inline void subtract(const SparseRow& row, std::int64_t factor, const SparseRow& pivot,
                     std::int64_t prime, SparseRow& difference) {
  difference.clear();
  std::size_t i = 1, k = 1;
  while (i < row.size() || k < pivot.size()) {
    if (k == pivot.size() || (i < row.size() && row[i].column < pivot[k].column)) {
      difference.push_back(row[i++]);
      continue;
    }
    std::int64_t residue = prime - factor * pivot[k].residue % prime;
    if (i < row.size() && row[i].column == pivot[k].column) residue += row[i++].residue;
    if (residue % prime != 0) difference.push_back({pivot[k].column, residue % prime});
    ++k;
  }
}

template <class Pause>
std::int64_t rank_modulo(const std::int64_t* starts, const std::int64_t* columns,
                         const std::int64_t* residues, std::int64_t n, std::int64_t width,
                         std::int64_t prime, Pause& pause) {
  constexpr std::size_t MOST = 30'000'000;               // entries that are kept
  constexpr std::int64_t MOST_STEPS = 4'000'000'000;
  std::vector<SparseRow> pivots(std::size_t(width), SparseRow{});
  SparseRow row, other;
  std::size_t kept = 0;
  std::int64_t rank = 0, steps = 0;
  Pace pace(pause);
  for (std::int64_t i = 0; i < n; ++i) {
    row.clear();
    for (std::int64_t k = starts[i]; k < starts[i + 1]; ++k)
      if (residues[k] != 0) row.push_back({columns[k], residues[k]});
    pace(16 + std::int64_t(row.size()));
    while (!row.empty() && !pivots[std::size_t(row[0].column)].empty()) {
      const SparseRow& pivot = pivots[std::size_t(row[0].column)];
      subtract(row, row[0].residue, pivot, prime, other);
      std::swap(row, other);
      const auto work = std::int64_t(row.size() + pivot.size());
      steps += work;
      pace(16 * work);
    }
    if (row.empty()) continue;
    const std::int64_t inverse = power(row[0].residue, prime - 2, prime);
    for (Entry& entry : row) entry.residue = entry.residue * inverse % prime;
    pivots[std::size_t(row[0].column)] = row;
    kept += row.size();
    ++rank;
    if (kept > MOST || steps > MOST_STEPS) return -1;
  }
  return rank;
}

}  // namespace novikoff::verifier
