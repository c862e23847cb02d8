// What all bindings share: the kinds of arrays that come in, rows of a matrix, and the checks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "pause.hpp"
#include "rows.hpp"

namespace novikoff {

namespace nb = nanobind;
using namespace nb::literals;

template <class T>
using Grid = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Line = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline void require(bool holds, const char* what) {
  if (!holds) throw nb::value_error(what);
}

// Far above every count of rounds or examples, and far below the end of int64.
constexpr std::int64_t MOST_COUNTED = std::int64_t{1} << 61;

inline bool is_count(std::int64_t value) { return 0 <= value && value <= MOST_COUNTED; }

// A new array of NumPy's that holds these numbers.
template <class T>
auto array_of(std::vector<T> values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  const nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  std::vector<T>& held = *kept.release();
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(held.data(), {held.size()}, owner);
}

// Whether holds(k) for all k from `first` on that are below `end`. Ctrl-C is heard, as in every loop.
template <class F>
bool all_hold(std::int64_t first, std::int64_t end, F&& holds) {
  constexpr std::int64_t BLOCK = 1 << 18;
  std::optional<Pause> pause;
  if (end - first > BLOCK) pause.emplace();
  bool all = true;
  for (; first < end && all; first += BLOCK) {
    const std::int64_t stop = std::min(end, first + BLOCK);
    for (std::int64_t k = first; k < stop; ++k) all &= holds(k);
    if (pause) (*pause)();
  }
  return all;
}

// Whether all numbers are from 0 to below `bound`.
template <class T>
bool are_below(const T* values, std::int64_t count, std::int64_t bound) {
  // As numbers without a sign, those below 0 are very large.
  return all_hold(0, count, [values, top = std::uint64_t(bound)](std::int64_t k) {
    return std::uint64_t(values[k]) < top;
  });
}

// Whether no number is less than the one before.
template <class T>
bool are_growing(const T* values, std::int64_t count) {
  return all_hold(1, count, [=](std::int64_t k) { return values[k - 1] <= values[k]; });
}

// The rows of a matrix as `matrix/rows.py` makes them: an array of two dimensions in C order, or the
// tuple Csr (data, indices, indptr, n_features). It refers to the arrays, which the caller holds.
using AnyRows = std::variant<DenseRows<double>, DenseRows<float>, ConvertedDenseRows,
                             CsrRows<double, std::uint32_t>, CsrRows<float, std::uint32_t>,
                             ConvertedCsrRows<std::uint32_t>, CsrRows<double, std::uint64_t>,
                             CsrRows<float, std::uint64_t>, ConvertedCsrRows<std::uint64_t>>;

AnyRows rows_from(nb::handle rows);

inline std::int64_t rows_in(const AnyRows& rows) {
  return std::visit([](const auto& r) { return r.n_rows(); }, rows);
}

inline std::int64_t features_in(const AnyRows& rows) {
  return std::visit([](const auto& r) { return r.n_features(); }, rows);
}

}  // namespace novikoff
