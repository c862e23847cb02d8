// Numbers in text: the float64 nearest to a decimal, and how it stands for it.
//
// The digits m (up to 19) are a sum of two float64 numbers, and so is 10ᵉ, to 2⁻¹⁰⁴ of it. Their
// product tells m·10ᵉ so closely that the last rounding is certain, unless the decimal lies half
// way between two float64 numbers; then, and for longer numbers, the C library decides.
//
// Text ends with a byte that belongs to no number (a line end), so no loop here asks where it ends.
#pragma once

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#if defined(__APPLE__)
#include <xlocale.h>
#endif

namespace novikoff {

using Byte = std::uint8_t;

// How a float64 number stands for the decimal it was read from: it is what the number prints as (or
// is); it is the number printed with more digits than it needs; that must be decided exactly.
enum class Held : std::int8_t { held, prints, doubtful };

struct Number {
  double value;
  std::int64_t end;  // where it ends: where it starts if there is none
  Held how;
};

// 10ᵉ = high + low for |e| ≤ 270: products of 19 digits and these are far from the ends of float64.
struct Powers {
  static constexpr std::int64_t LARGEST = 270;
  static constexpr std::int64_t COUNT = 2 * LARGEST + 1;
  const double* table;  // high and low of each power, one pair after the other
  double high(std::int64_t e) const { return table[2 * (e + LARGEST)]; }
  double low(std::int64_t e) const { return table[2 * (e + LARGEST) + 1]; }
};

inline constexpr std::int64_t MOST_DIGITS = 19;  // that 64 bits hold
inline constexpr std::uint64_t SIXTEEN_DIGITS = 1'000'000'000'000'000;  // the least with so many

// a·b − fl(a·b), exactly (Dekker; 2²⁷ + 1 halves a float64).
inline double product_tail(double a, double b, double product) {
  constexpr double SPLIT = 134217729.0;
  double c = SPLIT * a;
  const double a_high = c - (c - a), a_low = a - a_high;
  c = SPLIT * b;
  const double b_high = c - (c - b), b_low = b - b_high;
  return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

// The float64 nearest to m·10ᵉ, whether that is certain, and by how much it is too small.
struct Scaled {
  double value;
  bool certain;
  double missing;
};

inline Scaled scaled(std::uint64_t mantissa, std::int64_t exponent, const Powers& powers) {
  const double high = static_cast<double>(mantissa);
  const double low = static_cast<double>(
      static_cast<std::int64_t>(mantissa - static_cast<std::uint64_t>(high)));
  if (exponent == 0) {
    const double value = high + low;
    return {value, true, (high - value) + low};
  }
  const double power_high = powers.high(exponent), power_low = powers.low(exponent);
  const double first = high * power_high;
  const double second =
      product_tail(high, power_high, first) + (high * power_low + low * power_high);
  // All that was rounded is far below this: do both ends lead to the same number?
  const double wide = first * 3.155443620884047e-30;  // 2⁻⁹⁸
  const double value = first + (second + wide);
  return {value, value == first + (second - wide), (first - value) + second};
}

// How `value` stands for m·10ᵉ = value + missing, m having 16 digits or more.
//
// It prints so if it is less than half a unit of the last digit away. It is what `value` prints as
// if no decimal of one digit less is nearest to `value` too.
inline Held how_held(std::uint64_t mantissa, std::int64_t exponent, double value, double missing,
                     const Powers& powers) {
  while (mantissa % 10 == 0) mantissa /= 10, ++exponent;
  if (mantissa < SIXTEEN_DIGITS) return Held::held;
  if (exponent >= Powers::LARGEST) return Held::doubtful;
  const double half = 0.5 * powers.high(exponent);
  if (!(std::abs(missing) < half * (1.0 - 1e-9))) return Held::doubtful;
  const std::uint64_t below = mantissa / 10;
  for (const std::uint64_t shorter : {below, below + 1}) {
    const Scaled near = scaled(shorter, exponent + 1, powers);
    if (!near.certain) return Held::doubtful;
    if (near.value == value)  // of more digits than needed, unless it is the number itself
      return std::abs(missing) <= value * 1e-25 ? Held::doubtful : Held::prints;
  }
  return Held::held;
}

inline bool is_digit(Byte byte) { return byte >= '0' && byte <= '9'; }

// Go on with a number over the digits from `at` on; where they end.
inline std::int64_t read_digits(const Byte* data, std::int64_t at, std::uint64_t& mantissa) {
  for (; is_digit(data[at]); ++at) mantissa = mantissa * 10 + (data[at] - '0');
  return at;
}

// The power of ten that is written from `at` on, behind the digits, and where it ends.
inline std::int64_t read_exponent(const Byte* data, std::int64_t& at) {
  if (data[at] != 'E' && data[at] != 'e') return 0;
  std::int64_t place = at + 1;
  const bool negative = data[place] == '-';
  if (negative || data[place] == '+') ++place;
  std::uint64_t power = 0;
  const std::int64_t end = read_digits(data, place, power);
  if (end == place) return 0;
  at = end;
  const std::int64_t size = end - place < 6 ? static_cast<std::int64_t>(power) : 100'000;
  return negative ? -size : size;
}

// How many digits there are from the first one that is not 0 on.
inline std::int64_t significant(const Byte* data, std::int64_t at, std::int64_t end) {
  while (at < end && (data[at] == '0' || data[at] == '.')) ++at;
  std::int64_t digits = 0;
  for (; at < end; ++at) digits += data[at] != '.';
  return digits;
}

// std::strtod with a decimal point, whatever language the program has set.
inline double strtod_with_point(const char* text, char** end) {
#if defined(_WIN32)
  static const _locale_t plain = _create_locale(LC_ALL, "C");
  return _strtod_l(text, end, plain);
#else
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(text, end, plain);
#endif
}

// What the C library reads; it would go past blanks and line ends to find a number.
inline Number by_the_library(const Byte* data, std::int64_t start, std::int64_t first) {
  const Byte byte = data[first];
  const bool is_letter = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
  if (!(is_letter || is_digit(byte) || byte == '.')) return {0.0, start, Held::held};
  const char* text = reinterpret_cast<const char*>(data + start);
  char* end = nullptr;
  const double value = strtod_with_point(text, &end);
  return {value, start + (end - text), is_letter ? Held::held : Held::doubtful};
}

// The number that is written from `start` on.
inline Number number_at(const Byte* data, std::int64_t start, const Powers& powers) {
  std::int64_t at = start;
  const bool negative = data[at] == '-';
  if (negative || data[at] == '+') ++at;
  const std::int64_t first = at;
  std::uint64_t mantissa = 0;
  at = read_digits(data, at, mantissa);
  std::int64_t count = at - first, exponent = 0;
  if (data[at] == '.') {
    const std::int64_t point = at;
    at = read_digits(data, at + 1, mantissa);
    exponent = point + 1 - at;
    count -= exponent;
  }
  if (count == 0) return by_the_library(data, start, at);
  const bool fits = count <= MOST_DIGITS || significant(data, first, at) <= MOST_DIGITS;
  exponent += read_exponent(data, at);
  if (fits && mantissa == 0) return {negative ? -0.0 : 0.0, at, Held::held};
  if (fits && -Powers::LARGEST <= exponent && exponent < Powers::LARGEST) {
    const Scaled near = scaled(mantissa, exponent, powers);
    if (near.certain) {
      const Held how = mantissa < SIXTEEN_DIGITS
                           ? Held::held
                           : how_held(mantissa, exponent, near.value, near.missing, powers);
      return {negative ? -near.value : near.value, at, how};
    }
  }
  return by_the_library(data, start, first);
}

// The number of each text (they lie one after the other, text i from offsets[i] to offsets[i + 1]);
// doubtful if it is none. A text is copied, for its end to be one.
template <class Pause>
void read_texts(const Byte* data, const std::int32_t* offsets, std::int64_t n, const Powers& powers,
                double* values, std::int8_t* how, Pause& pause) {
  const auto is_blank = [](Byte byte) { return byte == ' ' || byte == '\t'; };
  std::vector<Byte> line;
  for (std::int64_t i = 0; i < n; ++i) {
    if (i % 4096 == 4095) pause();
    std::int64_t start = offsets[i], end = offsets[i + 1];
    while (start < end && is_blank(data[start])) ++start;
    while (start < end && is_blank(data[end - 1])) --end;
    line.assign(data + start, data + end);
    line.push_back('\n');
    const Number number = number_at(line.data(), 0, powers);
    const bool whole = number.end == end - start && number.end > 0;
    values[i] = number.value;
    how[i] = static_cast<std::int8_t>(whole ? number.how : Held::doubtful);
  }
}

inline bool has_letter_e(const Byte* text, std::int64_t size) {
  bool found = false;
  for (std::int64_t at = 0; at < size; ++at) found |= (text[at] | 32) == 'e';
  return found;
}

// Whether the text from `start` to `stop` has an exponent of three digits or more.
inline bool has_large_exponent(const Byte* text, std::int64_t start, std::int64_t stop,
                               std::int64_t size) {
  if (!has_letter_e(text + start, stop - start)) return false;
  for (std::int64_t at = start; at < stop; ++at) {
    if ((text[at] | 32) != 'e') continue;
    std::int64_t place = at + 1;
    while (place < size && (text[place] == '+' || text[place] == '-')) ++place;
    if (place + 3 <= size && is_digit(text[place]) && is_digit(text[place + 1]) &&
        is_digit(text[place + 2]))
      return true;
  }
  return false;
}

// Whether some bytes may write a number of over 15 digits (a point counts as one), or of a very
// large exponent. Of 16 bytes in a row one has a place that is a multiple of 16.
template <class Pause>
bool has_long_number(const Byte* text, std::int64_t size, Pause& pause) {
  constexpr std::int64_t DIGITS = 15, BLOCK = std::int64_t{1} << 16;
  const auto is_part = [](Byte byte) { return is_digit(byte) || byte == '.'; };
  for (std::int64_t start = 0; start < size; start += BLOCK) {
    const std::int64_t stop = std::min(start + BLOCK, size);
    for (std::int64_t at = start; at < stop; at += DIGITS + 1) {
      std::int64_t first = at, end = at;
      while (end < size && is_part(text[end]) && end - first <= DIGITS) ++end;
      if (end == at) continue;
      while (first > 0 && is_part(text[first - 1]) && end - first <= DIGITS) --first;
      if (end - first > DIGITS) return true;
    }
    if (has_large_exponent(text, start, stop, size)) return true;
    pause();
  }
  return false;
}

}  // namespace novikoff
