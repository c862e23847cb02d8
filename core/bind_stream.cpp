// The perceptron on a stream.
//
// What is called once an example takes arrays by the buffer protocol, which costs half as much as
// nanobind's arrays, and keeps Python's lock.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <variant>

#include "border.hpp"
#include "modules.hpp"
#include "online.hpp"
#include "pause.hpp"

namespace novikoff {

namespace border {

namespace {

// An array in C order whose memory stays where it is while this lives; const T: for reading.
template <class T>
class Held {
 public:
  Held(nb::handle array, int ndim) {
    const int access = std::is_const_v<T> ? PyBUF_SIMPLE : PyBUF_WRITABLE;
    if (PyObject_GetBuffer(array.ptr(), &buffer_, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | access) != 0)
      throw nb::python_error();
    if (buffer_.ndim == ndim && holds_t()) return;
    PyBuffer_Release(&buffer_);
    throw nb::type_error("an array has another type or other dimensions.");
  }
  ~Held() { PyBuffer_Release(&buffer_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  T* data() const { return static_cast<T*>(buffer_.buf); }
  std::int64_t size() const { return std::int64_t(buffer_.len) / std::int64_t(sizeof(T)); }
  std::int64_t shape(int k) const { return std::int64_t(buffer_.shape[k]); }

 private:
  bool holds_t() const {
    using Value = std::remove_const_t<T>;
    const char* const codes = std::is_same_v<Value, double>         ? "d"
                              : std::is_same_v<Value, std::int64_t> ? "lq"
                                                                    : "LQ";
    const char* const format = buffer_.format;
    return buffer_.itemsize == sizeof(T) && format && std::strlen(format) == 1 &&
           std::strchr(codes, *format);
  }

  Py_buffer buffer_;
};

// A stream whose arrays hold enough; `d` columns.
template <class Numbers, class Counts>
Stream stream_from(double* W, std::int64_t depth, std::int64_t d, const Numbers& numbers,
                   const Counts& counts) {
  const auto size = std::int64_t(counts.size());
  require(std::int64_t(numbers.size()) == Stream::NUMBERS && size >= Stream::RING && d >= 0,
          "a stream has weights, its numbers, and its counts.");
  require(depth >= (counts.data()[Stream::KIND] == Stream::PLAIN ? 1 : 2),
          "this learner has two rows of weights.");
  require(std::all_of(counts.data(), counts.data() + Stream::RING, is_count),
          "a count must not be negative.");
  return {W, d, numbers.data(), counts.data(), size - Stream::RING};
}

// One example as the only row of a matrix.
DenseRows<double> dense_row(const Held<const double>& x) { return {x.data(), 1, x.size()}; }

// The same for columns and values, in the storage of CSR.
class SparseRow {
 public:
  SparseRow(const Held<const double>& values, const Held<const std::uint64_t>& columns,
            std::int64_t d)
      : starts_{0, std::uint64_t(values.size())},
        rows_(values.data(), columns.data(), starts_, 1, d) {
    require(values.size() == columns.size(), "each value has a column.");
    require(are_below(columns.data(), columns.size(), d), "columns must exist.");
  }

  const auto& rows() const { return rows_; }

 private:
  std::uint64_t starts_[2];
  CsrRows<double, std::uint64_t> rows_;
};

// Whether a value is so large that it may have been rounded on its way here.
bool is_large(const Held<const double>& values) {
  return std::any_of(values.data(), values.data() + values.size(),
                     [](double x) { return std::abs(x) >= LARGEST_EXACT; });
}

int learn_dense(nb::handle x, double sign, nb::handle W, nb::handle numbers, nb::handle counts) {
  const Held<const double> row(x, 1);
  const Held<double> weights(W, 2), its_numbers(numbers, 1);
  const Held<std::int64_t> its_counts(counts, 1);
  const std::int64_t d = weights.shape(1) - 1;
  if (row.size() != d) return WRONG_WIDTH;
  Stream stream = stream_from(weights.data(), weights.shape(0), d, its_numbers, its_counts);
  return stream.present(dense_row(row), 0, sign);
}

template <bool MAY_BE_LARGE>
int learn_sparse(nb::handle values, nb::handle columns, double sign, nb::handle W,
                 nb::handle numbers, nb::handle counts) {
  const Held<const double> its_values(values, 1);
  const Held<const std::uint64_t> its_columns(columns, 1);
  const Held<double> weights(W, 2), its_numbers(numbers, 1);
  const Held<std::int64_t> its_counts(counts, 1);
  if (!MAY_BE_LARGE && is_large(its_values)) return LARGE;
  const std::int64_t d = weights.shape(1) - 1;
  Stream stream = stream_from(weights.data(), weights.shape(0), d, its_numbers, its_counts);
  return stream.present(SparseRow(its_values, its_columns, d).rows(), 0, sign);
}

std::int64_t learn_rows(nb::handle rows, const Line<const double>& signs, const Grid<double>& W,
                        const Line<double>& numbers, const Line<std::int64_t>& counts,
                        const Line<std::int8_t>& outcomes) {
  const AnyRows any = rows_from(rows);
  const auto n = std::int64_t(signs.size());
  require(n <= rows_in(any) && outcomes.size() == signs.size(), "each row has a sign, and an outcome.");
  require(std::int64_t(W.shape(1)) == features_in(any) + 1,
          "there must be a weight for each column, and one for the bias.");
  Stream stream =
      stream_from(W.data(), std::int64_t(W.shape(0)), features_in(any), numbers, counts);
  Pause pause;
  return std::visit(
      [&](const auto& r) {
        Pace pace(pause);
        for (std::int64_t i = 0; i < n; ++i) {
          const int came = stream.present(r, i, signs.data()[i]);
          outcomes.data()[i] = std::int8_t(came);
          if (came < 0 || came == TRIAL_DUE) return i + 1;
          pace(r.entries(i));
        }
        return n;
      },
      any);
}

int sign_dense(nb::handle x, nb::handle w, double w_norm) {
  const Held<const double> row(x, 1), weights(w, 1);
  if (row.size() != weights.size() - 1) return WRONG_WIDTH;
  return sign_of(dense_row(row), weights.data(), w_norm);
}

template <bool MAY_BE_LARGE>
int sign_sparse(nb::handle values, nb::handle columns, nb::handle w, double w_norm) {
  const Held<const double> its_values(values, 1), weights(w, 1);
  const Held<const std::uint64_t> its_columns(columns, 1);
  if (!MAY_BE_LARGE && is_large(its_values)) return LARGE;
  require(weights.size() > 0, "there must be a weight for the bias.");
  const SparseRow row(its_values, its_columns, weights.size() - 1);
  return sign_of(row.rows(), weights.data(), w_norm);
}

bool has_fewer_errors(nb::handle rows, const Line<const double>& signs, const Grid<double>& W,
                      const Line<double>& numbers, const Line<std::int64_t>& counts) {
  const AnyRows any = rows_from(rows);
  const auto n = std::int64_t(signs.size());
  require(n <= rows_in(any) && W.shape(0) == 2 &&
              std::int64_t(W.shape(1)) == features_in(any) + 1,
          "each row has a sign, and each column two weights.");
  const Stream stream = stream_from(W.data(), 2, features_in(any), numbers, counts);
  Pause pause;
  return std::visit(
      [&](const auto& r) { return stream.has_fewer_errors(r, signs.data(), n, pause); }, any);
}

void pass_over_right_ones(const Line<std::int64_t>& counts, std::int64_t examples) {
  const auto size = std::int64_t(counts.size());
  require(size >= Stream::RING && is_count(examples) && is_count(counts.data()[Stream::EXAMPLES]),
          "counts must not be negative.");
  Stream(nullptr, -1, nullptr, counts.data(), size - Stream::RING).pass_over_right_ones(examples);
}

}  // namespace

}  // namespace border

void bind_stream(nb::module_& m) {
  m.def("learn_dense", &border::learn_dense, "x"_a, "sign"_a, "W"_a, "numbers"_a, "counts"_a,
        "Present one example given as a flat array; what came of it.");
  m.def("learn_sparse", &border::learn_sparse<false>, "values"_a, "columns"_a, "sign"_a, "W"_a,
        "numbers"_a, "counts"_a,
        "Present one example given as columns and values, unless a value is very large.");
  m.def("learn_large_sparse", &border::learn_sparse<true>, "values"_a, "columns"_a, "sign"_a,
        "W"_a, "numbers"_a, "counts"_a,
        "The same for values that are known not to have been rounded.");
  m.def("learn_rows", &border::learn_rows, "rows"_a, "signs"_a.noconvert(), "W"_a.noconvert(),
        "numbers"_a.noconvert(), "counts"_a.noconvert(), "outcomes"_a.noconvert(),
        "Present row after row, up to one that makes a trial due or fails; how many were presented.");
  m.def("sign_dense", &border::sign_dense, "x"_a, "w"_a, "w_norm"_a,
        "The sign of x . w + b, exactly, given a bound on the norm of the weights.");
  m.def("sign_sparse", &border::sign_sparse<false>, "values"_a, "columns"_a, "w"_a, "w_norm"_a,
        "The same for columns and values, unless a value is very large.");
  m.def("sign_large_sparse", &border::sign_sparse<true>, "values"_a, "columns"_a, "w"_a,
        "w_norm"_a, "The same for values that are known not to have been rounded.");
  m.def("has_fewer_errors", &border::has_fewer_errors, "rows"_a, "signs"_a.noconvert(),
        "W"_a.noconvert(), "numbers"_a.noconvert(), "counts"_a.noconvert(),
        "Whether the weights at work misclassify fewer examples than those in the pocket.");
  m.def("pass_over_right_ones", &border::pass_over_right_ones, "counts"_a.noconvert(),
        "examples"_a, "Count examples that are known to have been right, without seeing them.");
}

}  // namespace novikoff
