// The text of svmlight, "label index:value …" a line, into the arrays of CSR.
//
// Whole lines only: the last byte is a line end.
#pragma once

#include <stdexcept>

#include "pace.hpp"
#include "text_numbers.hpp"

namespace novikoff {

// Why a line cannot be read.
enum class Bad : std::int64_t { fine, label, index, value, not_sorted };

// Where rows are written to, and how many there is room for; `doubtful` has the place and the row
// of each number that must be decided exactly, as far as there is room.
struct SvmlightRoom {
  double* labels;
  std::int64_t* indptr;
  std::int64_t most_rows;
  std::int32_t* indices;
  double* values;
  std::int64_t most_pairs;
  std::int64_t* doubtful;
  std::int64_t most_doubtful;
};

// What was read: rows, pairs that are stored, numbers that only print, doubtful ones; and of a line
// that is bad, why and where it starts.
struct SvmlightFacts {
  std::int64_t rows = 0, stored = 0, printed = 0, doubts = 0;
  Bad why = Bad::fine;
  std::int64_t where = 0;
};

inline constexpr std::int64_t LARGEST_INDEX = 2147483646;

inline bool is_blank(Byte byte) { return byte == ' ' || byte == '\t' || byte == '\r'; }

// Store the pairs from `at` to the end of a line; where it ends.
template <class Pause>
std::int64_t parse_pairs(const Byte* data, std::int64_t at, const Powers& powers,
                         const SvmlightRoom& room, SvmlightFacts& facts, Pace<Pause>& pace) {
  std::int64_t before = -1;
  while (true) {
    pace(0);
    const Byte byte = data[at];
    if (is_blank(byte)) {
      ++at;
      continue;
    }
    if (byte == '\n' || byte == '#') return at;
    if (byte == 'q' && data[at + 1] == 'i' && data[at + 2] == 'd') {
      while (!is_blank(data[at]) && data[at] != '\n') ++at;
      continue;
    }
    std::int64_t index = 0;
    const std::int64_t first = at;
    for (; is_digit(data[at]) && index <= LARGEST_INDEX; ++at) index = index * 10 + (data[at] - '0');
    if (at == first || data[at] != ':' || index > LARGEST_INDEX) {
      facts.why = Bad::index;
      return at;
    }
    if (index <= before) {
      facts.why = Bad::not_sorted;
      return at;
    }
    before = index;
    const Number number = number_at(data, at + 1, powers);
    const Byte next = data[number.end];
    if (number.end == at + 1 || !(is_blank(next) || next == '\n' || next == '#')) {
      facts.why = Bad::value;
      return at;
    }
    if (number.how == Held::prints) ++facts.printed;
    if (number.how == Held::doubtful) {
      if (facts.doubts < room.most_doubtful) {
        room.doubtful[2 * facts.doubts] = at + 1;
        room.doubtful[2 * facts.doubts + 1] = facts.rows;
      }
      ++facts.doubts;
    }
    if (number.value != 0.0) {
      if (facts.stored == room.most_pairs) throw std::out_of_range("more pairs than room.");
      room.indices[facts.stored] = static_cast<std::int32_t>(index);
      room.values[facts.stored] = number.value;
      ++facts.stored;
    }
    at = number.end;
  }
}

// Parse whole lines, up to one that is bad.
template <class Pause>
SvmlightFacts parse_svmlight(const Byte* data, std::int64_t size, const Powers& powers,
                             const SvmlightRoom& room, Pause& pause) {
  SvmlightFacts facts;
  Pace pace(pause);
  std::int64_t at = 0;
  while (at < size) {
    if (is_blank(data[at]) || data[at] == '\n') {
      ++at;
      pace(0);
      continue;
    }
    if (data[at] != '#') {
      const Number label = number_at(data, at, powers);
      const Byte next = data[label.end];
      facts.where = at;
      if (label.end == at || !(is_blank(next) || next == '\n')) {
        facts.why = Bad::label;
        return facts;
      }
      at = parse_pairs(data, label.end, powers, room, facts, pace);
      if (facts.why != Bad::fine) return facts;
      if (facts.rows == room.most_rows) throw std::out_of_range("more rows than room.");
      room.labels[facts.rows] = label.value;
      room.indptr[++facts.rows] = facts.stored;
    }
    while (data[at] != '\n') pace(0), ++at;
    ++at;
    pace(0);
  }
  return facts;
}

}  // namespace novikoff
