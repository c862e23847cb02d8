// The signs of scores for the verifier: the ones that floating point can be sure of.
//
// The verifier shares no arithmetic with the prover, so that one mistake cannot deceive both: this
// file includes neither signs.hpp nor accumulator.hpp nor scores.hpp, and has its own sum and bound.
// A computed score differs from the true one by less than (terms + 5)·u·Σ|xⱼwⱼ|, u = 2⁻⁵³, for any
// order of summation: the weights are rounded once, and so are decimals that were stored as float64.
#pragma once

#include <cmath>
#include <cstdint>

#include "pace.hpp"
#include "rows.hpp"
#include "wider.hpp"

namespace novikoff::verifier {

struct Sum {
  double total, size;
};

// Σ xⱼwⱼ or Σ|xⱼwⱼ|, in eight parts that vectors hold.
template <bool SIZES, class T>
INLINED double sum_in_parts(const T* x, const double* w, std::int64_t d) {
  double parts[8] = {}, rest = 0.0;
  for (std::int64_t start = 0; start + 8 <= d; start += 8)
    for (int k = 0; k < 8; ++k) {
      const double product = double(x[start + k]) * w[start + k];
      parts[k] += SIZES ? std::abs(product) : product;
    }
  for (std::int64_t j = d - d % 8; j < d; ++j) {
    const double product = double(x[j]) * w[j];
    rest += SIZES ? std::abs(product) : product;
  }
  for (const double part : parts) rest += part;
  return rest;
}

WIDER_VECTORS inline Sum sum_of_products(const double* x, const double* w, std::int64_t d) {
  return {sum_in_parts<false>(x, w, d), sum_in_parts<true>(x, w, d)};
}

WIDER_VECTORS inline Sum sum_of_products(const float* x, const double* w, std::int64_t d) {
  return {sum_in_parts<false>(x, w, d), sum_in_parts<true>(x, w, d)};
}

template <class Rows>
Sum sum_of_products(const Rows& rows, std::int64_t i, const double* w) {
  const std::int64_t d = rows.n_features();
  if constexpr (Rows::DENSE) {
    if (d >= SHORT_ROW) return sum_of_products(rows.row(i), w, d);
  }
  Sum sum{0.0, 0.0};
  rows.each(i, [&](std::int64_t j, double x) {
    sum.total += x * w[j];
    sum.size += std::abs(x * w[j]);
  });
  return sum;
}

// Write the sign of x_i · w + w[d] where it is sure; a NaN or an infinity decides nothing. No weight
// is above 2 in size.
template <class Rows, class Pause>
void sure_signs(const Rows& rows, const double* w, std::int8_t* signs, Pause& pause) {
  constexpr double UNIT = 0x1p-53;
  constexpr double INFLATE = 1.0 + 0x1p-20;  // the rounding of the bound itself, up to 2³⁰ entries
  constexpr double TINY = 1e-300;            // far above what underflow can lose
  const double bias = w[rows.n_features()];
  Pace pace(pause);
  for (std::int64_t i = 0; i < rows.n_rows(); ++i) {
    const auto [total, size] = sum_of_products(rows, i, w);
    const double score = total + bias;
    const double roundings = double(rows.entries(i) + 5) * UNIT * INFLATE;
    const double error = roundings * (size + std::abs(bias)) + TINY;
    const int sure = int(score > error) - int(score < -error);
    if (sure != 0) signs[i] = std::int8_t(sure);
    pace(rows.entries(i));
  }
}

}  // namespace novikoff::verifier
