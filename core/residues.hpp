// Rows of integers modulo a prime: sums of them are 0 if they are 0 modulo enough primes.
//
// Column j is scaled so that its entries are integers: an entry x is x / 2^lowest[j], or where
// tens[j] > 0 the integer nearest to x · tens[j]. Primes are below 2³¹, so that a product of two
// residues fits in 64 bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "pace.hpp"

namespace novikoff {

// Arithmetic modulo a prime from 5 to 2³¹.
class Modulus {
 public:
  explicit Modulus(std::int64_t prime) : prime_(prime), inverse_(1.0 / double(prime)) {}

  std::int64_t prime() const { return prime_; }

  // The residue of 0 ≤ x < 2⁵³, or of x < prime². The quotient in floating point is off by at most
  // one.
  std::int64_t of(std::int64_t x) const {
    const std::int64_t rest = x - std::int64_t(double(x) * inverse_) * prime_;
    if (rest < 0) return rest + prime_;
    return rest >= prime_ ? rest - prime_ : rest;
  }

  std::int64_t of_signed(std::int64_t x) const {  // of |x| < 2⁵³, without guessing its sign
    const std::int64_t sign = x >> 63, residue = of((x ^ sign) - sign);
    return residue == 0 ? 0 : (residue ^ sign) - sign + (sign & prime_);
  }

  std::int64_t opposite(std::int64_t residue) const { return residue == 0 ? 0 : prime_ - residue; }

  std::int64_t inverse(std::int64_t residue) const {  // Fermat: residue^(prime − 2)
    std::int64_t result = 1, square = residue;
    for (std::int64_t left = prime_ - 2; left > 0; left >>= 1) {
      if (left & 1) result = of(result * square);
      square = of(square * square);
    }
    return result;
  }

 private:
  std::int64_t prime_;
  double inverse_;
};

// A sum of up to 2³¹ products of residues; the residue is taken once, at the end.
class ProductSum {
 public:
  void add(std::int64_t a, std::int64_t b) {
    const std::int64_t product = a * b;
    low_ += product & LOW;
    high_ += product >> 32;
  }

  std::int64_t modulo(const Modulus& modulus) const {
    const std::int64_t prime = modulus.prime();
    return modulus.of(high_ % prime * ((LOW + 1) % prime) % prime + low_ % prime);
  }

 private:
  static constexpr std::int64_t LOW = (std::int64_t{1} << 32) - 1;
  std::int64_t low_ = 0, high_ = 0;
};

// x = mantissa · 2^exponent, with 2⁵² ≤ |mantissa| < 2⁵³; x is finite and not 0.
struct Binary {
  std::int64_t mantissa, exponent;
};

inline Binary binary_of(double x) {
  constexpr std::int64_t LEADING = std::int64_t{1} << 52;
  const auto bits = std::bit_cast<std::int64_t>(x);
  const std::int64_t power = bits >> 52 & 0x7ff, sign = bits >> 63;
  if (power == 0) {  // subnormal
    int exponent;
    const double fraction = std::frexp(x, &exponent);
    return {std::int64_t(fraction * 0x1p53), exponent - 53};
  }
  const std::int64_t size = (bits & (LEADING - 1)) | LEADING;
  return {(size ^ sign) - sign, power - 1075};
}

// The integer nearest to x, of two the even one, for |x| < 2⁵¹: std::rint in two additions.
inline double nearest_integer(double x) {
  constexpr double SHIFT = 0x1.8p52;
  return (x + SHIFT) - SHIFT;
}

// The integers that entries stand for, modulo a prime.
class Residues {
 public:
  Residues(const std::int64_t* lowest, const double* tens, std::int64_t prime)
      : lowest_(lowest), tens_(tens), modulus_(prime) {
    powers_[0] = 1;
    for (std::size_t k = 1; k < powers_.size(); ++k) powers_[k] = modulus_.of(2 * powers_[k - 1]);
  }

  const Modulus& modulus() const { return modulus_; }

  // Of an entry x ≠ 0 of column j.
  std::int64_t operator()(std::int64_t j, double x) const {
    if (tens_[j] > 0.0) {
      const double scaled = x * tens_[j];
      if (!(std::abs(scaled) < 0x1p51)) throw std::domain_error("a decimal is too long.");
      return modulus_.of_signed(std::int64_t(nearest_integer(scaled)));
    }
    if (!std::isfinite(x)) throw std::domain_error("an entry is not finite.");
    const auto [mantissa, exponent] = binary_of(x);
    const std::int64_t shift = exponent - lowest_[j];
    if (shift <= 0)  // the lowest bits are zeros
      return modulus_.of_signed(mantissa >> std::min<std::int64_t>(-shift, 63));
    if (shift >= std::int64_t(powers_.size())) throw std::domain_error("an entry is too long.");
    return modulus_.of(modulus_.of_signed(mantissa) * powers_[std::size_t(shift)]);
  }

 private:
  static constexpr std::size_t MOST_BITS = 600;  // of an integer: see `exact/residues.py`
  const std::int64_t* lowest_;
  const double* tens_;
  Modulus modulus_;
  std::array<std::int64_t, MOST_BITS + 1> powers_;
};

// Of each column the largest size (infinite if an entry is not finite), and powers of two: every entry
// is an integer times 2^lowest, and below 2^highest in size; these are 0 and 1 if all entries are 0.
struct Ranges {
  std::int64_t* lowest;
  std::int64_t* highest;
  double* greatest;
};

template <class Rows, class Pause>
void column_ranges(const Rows& rows, const Ranges& ranges, Pause& pause) {
  constexpr std::int64_t NONE = 1 << 20;
  const auto [lowest, highest, greatest] = ranges;
  const std::int64_t d = rows.n_features();
  std::fill_n(lowest, d, NONE);
  std::fill_n(highest, d, -NONE);
  std::fill_n(greatest, d, 0.0);
  Pace pace(pause);
  for (std::int64_t i = 0; i < rows.n_rows(); ++i) {
    rows.each(i, [lowest, highest, greatest](std::int64_t j, double x) {
      if (x == 0.0) return;
      if (!std::isfinite(x)) {
        greatest[j] = std::numeric_limits<double>::infinity();
        return;
      }
      auto [mantissa, exponent] = binary_of(x);
      highest[j] = std::max(highest[j], exponent + 53);
      greatest[j] = std::max(greatest[j], std::abs(x));
      if (lowest[j] <= exponent) return;
      exponent += std::countr_zero(std::uint64_t(mantissa));
      lowest[j] = std::min(lowest[j], exponent);
    });
    pace(4 * rows.entries(i));
  }
  for (std::int64_t j = 0; j < d; ++j)
    if (highest[j] == -NONE) lowest[j] = 0, highest[j] = 1;
}

// The residues of entries, each of its column.
template <class Pause>
void entry_residues(const Residues& residues, const std::int64_t* columns, const double* values,
                    std::int64_t count, std::int64_t* found, Pause& pause) {
  Pace pace(pause);
  for (std::int64_t k = 0; k < count; ++k) {
    found[k] = values[k] == 0.0 ? 0 : residues(columns[k], values[k]);
    pace(4);
  }
}

// Σ factor · row modulo the prime, column by column.
template <class Rows, class Pause>
void sum_of_rows(const Rows& rows, const Residues& residues, const std::int64_t* indices,
                 const std::int64_t* factors, std::int64_t count, std::int64_t* sums,
                 Pause& pause) {
  const Modulus& modulus = residues.modulus();
  std::fill_n(sums, rows.n_features(), 0);
  Pace pace(pause);
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t factor = factors[k];
    rows.each(indices[k], [&](std::int64_t j, double x) {
      if (x == 0.0) return;
      const std::int64_t sum = sums[j] + modulus.of(residues(j, x) * factor) - modulus.prime();
      sums[j] = sum + (sum >> 63 & modulus.prime());
    });
    pace(8 * rows.entries(indices[k]));
  }
}

// row·w + b modulo the prime, for some rows.
template <class Rows, class Pause>
void score_residues(const Rows& rows, const Residues& residues, const std::int64_t* indices,
                    std::int64_t count, const std::int64_t* w, std::int64_t b,
                    std::int64_t* scores, Pause& pause) {
  Pace pace(pause);
  for (std::int64_t k = 0; k < count; ++k) {
    ProductSum sum;
    sum.add(b, 1);
    rows.each(indices[k], [&](std::int64_t j, double x) {
      if (x != 0.0) sum.add(residues(j, x), w[j]);
    });
    scores[k] = sum.modulo(residues.modulus());
    pace(8 * rows.entries(indices[k]));
  }
}

}  // namespace novikoff
