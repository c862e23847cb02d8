// What all bindings share: the kinds of arrays that come in, rows of a matrix, and the checks.
#pragma once

#include <cstdint>
#include <type_traits>
#include <variant>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

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
