// A sum of products of float64 numbers, without any rounding: a fixed-point accumulator.
//
// Every product of two finite float64 numbers is an integer times 2⁻²¹⁴⁸ and below 2²⁰⁴⁸ in size, so
// a sum of them fits in 136 limbs of 32 bits (Kulisch, "Computer Arithmetic and Validity", 2008).
// Limbs are 64 bits wide, so carries wait for a million terms. There is no overflow, no underflow and
// no special case; a term costs some tens of nanoseconds, and only scores that an error bound could
// not decide come here.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace novikoff {

class Accumulator {
 public:
  void add_product(double x, double w) {
    if (x == 0.0 || w == 0.0) return;
    if (!std::isfinite(x) || !std::isfinite(w)) return;  // no sum has a meaning: callers refuse it
    int x_exponent, w_exponent;
    const auto x_integer = std::int64_t(std::frexp(x, &x_exponent) * 0x1p53);
    const auto w_integer = std::int64_t(std::frexp(w, &w_exponent) * 0x1p53);
    const int exponent = x_exponent + w_exponent - 106;
    const std::int64_t x_high = x_integer >> 27, x_low = x_integer & LOW_27;
    const std::int64_t w_high = w_integer >> 27, w_low = w_integer & LOW_27;
    add_shifted(x_low * w_low, exponent);
    add_shifted(x_low * w_high, exponent + 27);
    add_shifted(x_high * w_low, exponent + 27);
    add_shifted(x_high * w_high, exponent + 54);
    if (++waiting_ == MOST_WAITING) resolve();
  }

  // Add sign·(x_i · w + w[d]), where the sign is ±1.
  template <class Rows>
  void add_score(double sign, const Rows& rows, std::int64_t i, const double* w) {
    rows.each(i, [&](std::int64_t j, double x) { add_product(sign * x, w[j]); });
    add_product(sign, w[rows.n_features()]);
  }

  int sign() {
    resolve();
    if (limbs_.back() < 0) return -1;
    return std::any_of(limbs_.begin(), limbs_.end(), [](auto limb) { return limb != 0; });
  }

  // The sum as the nearest float64, of two equally near the even one (IEEE 754). What would vanish is
  // the least number of its sign instead; what is too great is an infinity.
  double rounded() {
    const int s = sign();
    if (s == 0) return 0.0;
    if (s < 0) negate();
    int limb = LIMBS - 1;
    while (limbs_[limb] == 0) --limb;
    int top = 32 * limb + 31;  // the leading bit
    while (!bit(top)) --top;
    // A float64 keeps 53 bits, and none below 2⁻¹⁰⁷⁴.
    const int last = std::max(top - 52, LOWEST - 1074);
    if (last > top + 1) return s * LEAST;
    std::int64_t mantissa = 0;
    for (int k = top; k >= last; --k) mantissa = 2 * mantissa + bit(k);
    if (bit(last - 1) && (mantissa % 2 == 1 || any_bit_below(last - 1))) ++mantissa;
    return s * std::max(std::ldexp(double(mantissa), last - LOWEST), LEAST);
  }

 private:
  static constexpr int LIMBS = 136;
  static constexpr int LOWEST = 2176;  // limb 0 counts units of 2⁻²¹⁷⁶: below two subnormals' product
  static constexpr std::int64_t LOW_32 = (std::int64_t{1} << 32) - 1;
  static constexpr std::int64_t LOW_27 = (std::int64_t{1} << 27) - 1;
  static constexpr double LEAST = 5e-324;  // the least positive float64
  static constexpr std::int64_t MOST_WAITING = 1 << 20;  // terms; each adds less than 2³⁵ to a limb

  // Add value · 2^exponent, where |value| < 2⁵⁴: in two halves, which stay below 2⁶³ when shifted.
  void add_shifted(std::int64_t value, int exponent) {
    const int at = exponent + LOWEST, limb = at >> 5, shift = at & 31;
    for (int part = 0; part < 2; ++part) {
      const std::int64_t half = part == 0 ? (value & LOW_27) : (value >> 27);
      if (half == 0) continue;  // its place may lie below the lowest limb
      const int offset = shift + 27 * part, place = limb + (offset >> 5);
      const std::int64_t shifted = half << (offset & 31);
      limbs_[place] += shifted & LOW_32;
      limbs_[place + 1] += shifted >> 32;
    }
  }

  // Let carries run; the last limb keeps the sign.
  void resolve() {
    std::int64_t carry = 0;
    for (auto& limb : limbs_) {
      const std::int64_t total = limb + carry;
      limb = total & LOW_32;
      carry = total >> 32;
    }
    limbs_.back() += carry << 32;
    waiting_ = 0;
  }

  void negate() {  // two's complement, to read off a magnitude
    std::int64_t carry = 1;
    for (auto& limb : limbs_) {
      const std::int64_t total = (LOW_32 - limb) + carry;
      limb = total & LOW_32;
      carry = total >> 32;
    }
  }

  bool bit(int k) const { return limbs_[k >> 5] >> (k & 31) & 1; }

  bool any_bit_below(int k) const {
    for (int limb = 0; limb < k >> 5; ++limb)
      if (limbs_[limb] != 0) return true;
    return (limbs_[k >> 5] & ((std::int64_t{1} << (k & 31)) - 1)) != 0;
  }

  std::array<std::int64_t, LIMBS> limbs_{};
  std::int64_t waiting_ = 0;
};

// The sign of x_i · w + w[d], exactly.
template <class Rows>
int exact_sign(const Rows& rows, std::int64_t i, const double* w) {
  Accumulator sum;
  sum.add_score(1.0, rows, i, w);
  return sum.sign();
}

// x_i · w + w[d], rounded once, to the nearest float64; 0 only if it is 0.
template <class Rows>
double exact_score(const Rows& rows, std::int64_t i, const double* w) {
  Accumulator sum;
  sum.add_score(1.0, rows, i, w);
  return sum.rounded();
}

// u · v, rounded once.
inline double exact_dot(const double* u, const double* v, std::int64_t d) {
  Accumulator sum;
  for (std::int64_t j = 0; j < d; ++j) sum.add_product(u[j], v[j]);
  return sum.rounded();
}

// Whether y_i·(x_i · w + w[d]) < y_k·(x_k · w + w[d]), exactly, for y = ±1.
template <class Rows>
bool is_less(const Rows& rows, std::int64_t i, double y_i, std::int64_t k, double y_k,
             const double* w) {
  Accumulator sum;
  sum.add_score(y_i, rows, i, w);
  sum.add_score(-y_k, rows, k, w);
  return sum.sign() < 0;
}

// The sign of (x_i · u + u[d]) − (x_i · v + v[d]), exactly.
template <class Rows>
int exact_comparison(const Rows& rows, std::int64_t i, const double* u, const double* v) {
  Accumulator sum;
  sum.add_score(1.0, rows, i, u);
  sum.add_score(-1.0, rows, i, v);
  return sum.sign();
}

}  // namespace novikoff
