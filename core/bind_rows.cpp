// Rows of a matrix, and signs and norms of single rows.

#include <cstdint>
#include <variant>

#include "border.hpp"
#include "modules.hpp"
#include "pace.hpp"
#include "pause.hpp"
#include "signs.hpp"

namespace novikoff {

namespace {

using Any = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

// Without a conversion: rows refer to the memory, and a copy would be gone.
Any as_they_are(nb::handle values) { return nb::cast<Any>(values, false); }

template <class T>
bool holds(const Any& values) {
  return values.dtype() == nb::dtype<T>();
}

// How numbers that are neither float64 nor float32 become float64.
Convert conversion_of(const Any& values) {
  if (holds<std::int8_t>(values)) return &converted<std::int8_t>;
  if (holds<std::int16_t>(values)) return &converted<std::int16_t>;
  if (holds<std::int32_t>(values)) return &converted<std::int32_t>;
  if (holds<std::int64_t>(values)) return &converted<std::int64_t>;
  if (holds<std::uint8_t>(values)) return &converted<std::uint8_t>;
  if (holds<std::uint16_t>(values)) return &converted<std::uint16_t>;
  if (holds<std::uint32_t>(values)) return &converted<std::uint32_t>;
  if (holds<std::uint64_t>(values)) return &converted<std::uint64_t>;
  throw nb::type_error("rows must hold numbers of at most 64 bits.");
}

std::int64_t bytes_of(const Any& values) { return values.itemsize(); }

template <class Index>
AnyRows csr_rows(const Any& values, const Any& columns, const Any& starts, std::int64_t d) {
  const auto n = std::int64_t(starts.size()) - 1;
  const auto* at = static_cast<const Index*>(starts.data());
  const auto* j = static_cast<const Index*>(columns.data());
  require(at[n] <= values.size(), "indptr must end within the stored values.");
  if (holds<double>(values)) return CsrRows{static_cast<const double*>(values.data()), j, at, n, d};
  if (holds<float>(values)) return CsrRows{static_cast<const float*>(values.data()), j, at, n, d};
  return ConvertedCsrRows<Index>{static_cast<const char*>(values.data()), bytes_of(values),
                                 conversion_of(values), j, at, n, d};
}

// Arrays are taken as they are: a converted copy would not outlive the function that makes it.
AnyRows csr_from(nb::tuple csr) {
  require(csr.size() == 4, "CSR rows are data, indices, indptr and the number of columns.");
  const auto values = as_they_are(csr[0]), columns = as_they_are(csr[1]);
  const auto starts = as_they_are(csr[2]);
  const auto d = nb::cast<std::int64_t>(csr[3]);
  require(values.ndim() == 1 && columns.ndim() == 1 && starts.ndim() == 1 && starts.size() > 0 &&
              columns.size() == values.size() && d >= 0,
          "the arrays of CSR rows must be flat, with an index for each value.");
  if (holds<std::uint32_t>(columns) && holds<std::uint32_t>(starts))
    return csr_rows<std::uint32_t>(values, columns, starts, d);
  if (holds<std::uint64_t>(columns) && holds<std::uint64_t>(starts))
    return csr_rows<std::uint64_t>(values, columns, starts, d);
  throw nb::type_error("indices and indptr must both be uint32, or both uint64.");
}

}  // namespace

AnyRows rows_from(nb::handle rows) {
  if (nb::isinstance<nb::tuple>(rows)) return csr_from(nb::borrow<nb::tuple>(rows));
  const auto values = as_they_are(rows);
  require(values.ndim() == 2, "rows must be an array of two dimensions.");
  const auto n = std::int64_t(values.shape(0)), d = std::int64_t(values.shape(1));
  if (holds<double>(values)) return DenseRows{static_cast<const double*>(values.data()), n, d};
  if (holds<float>(values)) return DenseRows{static_cast<const float*>(values.data()), n, d};
  return ConvertedDenseRows{static_cast<const char*>(values.data()), bytes_of(values),
                            conversion_of(values), n, d};
}

namespace border {

// Whether each row of a CSR matrix begins where the one before ends, with columns that exist.
template <class Index>
bool csr_is_sound(Line<const Index> indices, Line<const Index> indptr, std::int64_t n_features) {
  const Index* starts = indptr.data();
  const auto n = std::int64_t(indptr.size()) - 1, used = std::int64_t(indices.size());
  if (n < 0 || std::uint64_t(starts[n]) > std::uint64_t(used) || n_features < 0) return false;
  return are_growing(starts, n + 1) && are_below(indices.data(), used, n_features);
}

double norm_bound(Line<const double> w) {
  return novikoff::norm_bound(w.data(), std::int64_t(w.size()));
}

void row_norms(nb::handle rows, bool with_bias, Line<double> norms) {
  const AnyRows any = rows_from(rows);
  require(std::int64_t(norms.size()) <= rows_in(any), "there is no row for each norm.");
  Pause pause;
  std::visit(
      [&](const auto& r) {
        const double bias = with_bias ? 1.0 : 0.0;
        Pace pace(pause);
        for (std::int64_t i = 0; i < std::int64_t(norms.size()); ++i) {
          norms.data()[i] = row_norm(r, i, bias);
          pace(r.entries(i));
        }
      },
      any);
}

}  // namespace border

void bind_rows(nb::module_& m) {
  m.def("pauses", [] { return pauses; }, "How often loops have paused in this thread.");
  m.def("csr_is_sound", &border::csr_is_sound<std::uint32_t>, "indices"_a.noconvert(),
        "indptr"_a.noconvert(), "n_features"_a,
        "Whether the rows follow each other in the arrays, and all columns exist.");
  m.def("csr_is_sound", &border::csr_is_sound<std::uint64_t>, "indices"_a.noconvert(),
        "indptr"_a.noconvert(), "n_features"_a);
  m.def("norm_bound", &border::norm_bound, "w"_a.noconvert(),
        "An upper bound on the norm of w that is right to many digits.");
  m.def("row_norms", &border::row_norms, "rows"_a, "with_bias"_a, "norms"_a.noconvert(),
        "Upper bounds on the norms of the rows, augmented by a 1 if there is a bias.");
}

}  // namespace novikoff
