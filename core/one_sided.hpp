// Columns that push all their rows to one side, taken out one after the other.
//
// If no entry of column j of A is negative and some are positive, a weight on j alone has Aw ≥ 0 and
// puts the rows with an entry strictly off the plane. Those rows are settled and leave, and without
// them other columns may be one-sided. The time is proportional to what is stored.
#pragma once

#include <cstdint>
#include <vector>

#include "compressed.hpp"
#include "pace.hpp"

namespace novikoff {

// The columns that were taken out, in order, the sign of each weight, and for each row the place of
// the column that settled it, or −1.
struct OneSided {
  std::vector<std::int64_t> columns;
  std::vector<std::int8_t> signs;
  std::vector<std::int64_t> settled;
};

// How many entries of each column are positive and how many are negative, in rows that stay.
class ColumnSigns {
 public:
  explicit ColumnSigns(std::int64_t p) : positive_(std::size_t(p)), negative_(std::size_t(p)) {}

  void add(std::int64_t j, double entry, std::int64_t count) {
    if (entry > 0.0) positive_[std::size_t(j)] += count;
    if (entry < 0.0) negative_[std::size_t(j)] += count;
  }
  // The sign of a one-sided column; 0 for others, and for those without entries.
  std::int8_t sign(std::int64_t j) const {
    return std::int8_t((positive_[std::size_t(j)] != 0) - (negative_[std::size_t(j)] != 0));
  }

 private:
  std::vector<std::int64_t> positive_, negative_;
};

// The same matrix comes twice: its rows, and its columns (of these only the indices are used).
template <class Index, class Between>
OneSided take_out_one_sided(const Compressed<Index>& rows, const Compressed<Index>& columns,
                            Between& pause) {
  ColumnSigns signs(columns.count);
  Pace pace(pause);
  for (std::int64_t i = 0; i < rows.count; ++i) {
    for (std::int64_t k = rows.start(i); k < rows.end(i); ++k)
      signs.add(rows.index(k), rows.values[k], 1);
    pace(rows.end(i) - rows.start(i));
  }
  std::vector<std::int64_t> queue;
  std::vector<std::uint8_t> waited(std::size_t(columns.count));
  const auto consider = [&](std::int64_t j) {
    if (waited[std::size_t(j)] || signs.sign(j) == 0) return;
    waited[std::size_t(j)] = 1;
    queue.push_back(j);
  };
  for (std::int64_t j = 0; j < columns.count; ++j) consider(j);
  OneSided taken{{}, {}, std::vector<std::int64_t>(std::size_t(rows.count), -1)};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::int64_t j = queue[head];
    if (signs.sign(j) == 0) continue;  // others have settled its rows meanwhile
    const auto place = std::int64_t(taken.columns.size());
    taken.columns.push_back(j);
    taken.signs.push_back(signs.sign(j));
    for (std::int64_t at = columns.start(j); at < columns.end(j); ++at) {
      const std::int64_t i = columns.index(at);
      pace(0);
      if (taken.settled[std::size_t(i)] >= 0) continue;
      taken.settled[std::size_t(i)] = place;
      for (std::int64_t k = rows.start(i); k < rows.end(i); ++k) {
        signs.add(rows.index(k), rows.values[k], -1);
        consider(rows.index(k));
      }
      pace(rows.end(i) - rows.start(i));
    }
  }
  return taken;
}

}  // namespace novikoff
