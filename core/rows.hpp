// Rows of a matrix, dense or CSR: the only code that knows how they are stored.
//
// A loop says rows.dot(i, w) and rows.axpy(i, step, w), and is compiled for each kind of rows. `w`
// may be longer than a row (the bias sits behind the features). Sums may be taken in any order: what
// is decided with them is decided with a bound that holds for every order (signs.hpp). Values that
// are neither float64 nor float32 become float64 a row at a time, each rounded as NumPy rounds it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "wider.hpp"

namespace novikoff {

// Ask memory for some numbers that are wanted soon. Of many it is the first: the processor goes on.
template <class T>
INLINED void ask_for([[maybe_unused]] const T* values, [[maybe_unused]] std::int64_t count) {
#if defined(__GNUC__)
  constexpr std::int64_t LINE = 64, MOST = 4 * LINE;
  const char* at = reinterpret_cast<const char*>(values);
  const std::int64_t bytes = std::min(count * std::int64_t(sizeof(T)), MOST);
  for (std::int64_t k = 0; k < bytes; k += LINE) __builtin_prefetch(at + k);
#endif
}

// Σ f(j) for j < d, as eight sums side by side that are added up at the end. Vectors of any width
// hold them, so the bits are the same on every machine.
template <class F>
INLINED double eight_sums(std::int64_t d, F&& f) {
  double totals[8] = {}, rest = 0.0;
  std::int64_t j = 0;
  for (; j + 8 <= d; j += 8)
    for (int k = 0; k < 8; ++k) totals[k] += f(j + k);
  for (; j < d; ++j) rest += f(j);
  for (int half = 4; half > 0; half /= 2)
    for (int k = 0; k < half; ++k) totals[k] += totals[k + half];
  return totals[0] + rest;
}

WIDER_VECTORS inline double long_dot(const double* x, const double* w, std::int64_t d) {
  return eight_sums(d, [=](std::int64_t j) { return x[j] * w[j]; });
}

WIDER_VECTORS inline double long_dot(const float* x, const double* w, std::int64_t d) {
  return eight_sums(d, [=](std::int64_t j) { return double(x[j]) * w[j]; });
}

WIDER_VECTORS inline double long_sqnorm(const double* x, std::int64_t d) {
  return eight_sums(d, [=](std::int64_t j) { return x[j] * x[j]; });
}

WIDER_VECTORS inline double long_sqnorm(const float* x, std::int64_t d) {
  return eight_sums(d, [=](std::int64_t j) { return double(x[j]) * double(x[j]); });
}

// Each weight is touched once, rounded as w + (step·x): the bits depend on no order.
WIDER_VECTORS inline void long_axpy(const double* x, double step, double* w, std::int64_t d) {
  for (std::int64_t j = 0; j < d; ++j) w[j] += step * x[j];
}

WIDER_VECTORS inline void long_axpy(const float* x, double step, double* w, std::int64_t d) {
  for (std::int64_t j = 0; j < d; ++j) w[j] += step * double(x[j]);
}

// Below this many numbers a call costs more than the sum.
constexpr std::int64_t SHORT_ROW = 12;

template <class T>
inline double dot(const T* x, const double* w, std::int64_t d) {
  if (d >= SHORT_ROW) return long_dot(x, w, d);
  double total = 0.0;
  for (std::int64_t j = 0; j < d; ++j) total += double(x[j]) * w[j];
  return total;
}

template <class T>
inline double sqnorm(const T* x, std::int64_t d) {
  if (d >= SHORT_ROW) return long_sqnorm(x, d);
  double total = 0.0;
  for (std::int64_t j = 0; j < d; ++j) total += double(x[j]) * double(x[j]);
  return total;
}

template <class T>
inline void axpy(const T* x, double step, double* w, std::int64_t d) {
  if (d >= SHORT_ROW) return long_axpy(x, step, w, d);
  for (std::int64_t j = 0; j < d; ++j) w[j] += step * double(x[j]);
}

template <class T>
class DenseRows {
 public:
  DenseRows(const T* values, std::int64_t n, std::int64_t d) : values_(values), n_(n), d_(d) {}

  static constexpr bool DENSE = true;
  std::int64_t n_rows() const { return n_; }
  std::int64_t n_features() const { return d_; }
  std::int64_t entries(std::int64_t) const { return d_; }
  const T* row(std::int64_t i) const { return values_ + i * d_; }
  INLINED void fetch(std::int64_t i) const { ask_for(row(i), d_); }

  double dot(std::int64_t i, const double* w) const { return novikoff::dot(row(i), w, d_); }
  double sqnorm(std::int64_t i) const { return novikoff::sqnorm(row(i), d_); }
  void axpy(std::int64_t i, double step, double* w) const { novikoff::axpy(row(i), step, w, d_); }

  // f(j, x) for each stored entry of row i.
  template <class F>
  void each(std::int64_t i, F&& f) const {
    const T* x = row(i);
    for (std::int64_t j = 0; j < d_; ++j) f(j, double(x[j]));
  }

 private:
  const T* values_;
  std::int64_t n_, d_;
};

// Some numbers of another type as float64.
using Convert = void (*)(const char* from, std::int64_t count, double* to);

template <class T>
void converted(const char* from, std::int64_t count, double* to) {
  const T* values = reinterpret_cast<const T*>(from);
  for (std::int64_t k = 0; k < count; ++k) to[k] = double(values[k]);
}

// Integers of any size; the row in use is kept as float64. Each thread has its own copy.
class ConvertedDenseRows {
 public:
  ConvertedDenseRows(const char* values, std::int64_t size, Convert convert, std::int64_t n,
                     std::int64_t d)
      : values_(values), size_(size), convert_(convert), n_(n), d_(d), row_(std::size_t(d)) {}

  static constexpr bool DENSE = true;
  std::int64_t n_rows() const { return n_; }
  std::int64_t n_features() const { return d_; }
  std::int64_t entries(std::int64_t) const { return d_; }
  INLINED void fetch(std::int64_t i) const { ask_for(values_ + i * d_ * size_, d_ * size_); }

  double dot(std::int64_t i, const double* w) const { return novikoff::dot(row(i), w, d_); }
  double sqnorm(std::int64_t i) const { return novikoff::sqnorm(row(i), d_); }
  void axpy(std::int64_t i, double step, double* w) const { novikoff::axpy(row(i), step, w, d_); }

  template <class F>
  void each(std::int64_t i, F&& f) const {
    const double* x = row(i);
    for (std::int64_t j = 0; j < d_; ++j) f(j, x[j]);
  }

  const double* row(std::int64_t i) const {
    if (i != at_) convert_(values_ + i * d_ * size_, d_, row_.data());
    at_ = i;
    return row_.data();
  }

 private:
  const char* values_;
  std::int64_t size_;
  Convert convert_;
  std::int64_t n_, d_;
  mutable std::vector<double> row_;
  mutable std::int64_t at_ = -1;
};

template <class T, class Index>
class CsrRows {
 public:
  CsrRows(const T* values, const Index* columns, const Index* starts, std::int64_t n,
          std::int64_t d)
      : values_(values), columns_(columns), starts_(starts), n_(n), d_(d) {}

  static constexpr bool DENSE = false;
  std::int64_t n_rows() const { return n_; }
  std::int64_t n_features() const { return d_; }
  std::int64_t entries(std::int64_t i) const { return std::int64_t(starts_[i + 1] - starts_[i]); }
  INLINED void fetch(std::int64_t i) const {
    ask_for(columns_ + starts_[i], entries(i));
    ask_for(values_ + starts_[i], entries(i));
  }

  double dot(std::int64_t i, const double* w) const {
    double total = 0.0;
    for (Index k = starts_[i]; k < starts_[i + 1]; ++k) total += double(values_[k]) * w[columns_[k]];
    return total;
  }
  double sqnorm(std::int64_t i) const {
    double total = 0.0;
    for (Index k = starts_[i]; k < starts_[i + 1]; ++k)
      total += double(values_[k]) * double(values_[k]);
    return total;
  }
  void axpy(std::int64_t i, double step, double* w) const {
    for (Index k = starts_[i]; k < starts_[i + 1]; ++k) w[columns_[k]] += step * double(values_[k]);
  }

  template <class F>
  void each(std::int64_t i, F&& f) const {
    for (Index k = starts_[i]; k < starts_[i + 1]; ++k)
      f(std::int64_t(columns_[k]), double(values_[k]));
  }

 private:
  const T* values_;
  const Index* columns_;
  const Index* starts_;
  std::int64_t n_, d_;
};

template <class Index>
class ConvertedCsrRows {
 public:
  ConvertedCsrRows(const char* values, std::int64_t size, Convert convert, const Index* columns,
                   const Index* starts, std::int64_t n, std::int64_t d)
      : values_(values), size_(size), convert_(convert), columns_(columns), starts_(starts), n_(n),
        d_(d) {}

  static constexpr bool DENSE = false;
  std::int64_t n_rows() const { return n_; }
  std::int64_t n_features() const { return d_; }
  std::int64_t entries(std::int64_t i) const { return std::int64_t(starts_[i + 1] - starts_[i]); }
  INLINED void fetch(std::int64_t i) const {
    ask_for(columns_ + starts_[i], entries(i));
    ask_for(values_ + std::int64_t(starts_[i]) * size_, entries(i) * size_);
  }

  double dot(std::int64_t i, const double* w) const {
    const double* x = row(i);
    const Index* columns = columns_ + starts_[i];
    double total = 0.0;
    for (std::int64_t k = 0; k < entries(i); ++k) total += x[k] * w[columns[k]];
    return total;
  }
  double sqnorm(std::int64_t i) const { return novikoff::sqnorm(row(i), entries(i)); }
  void axpy(std::int64_t i, double step, double* w) const {
    const double* x = row(i);
    const Index* columns = columns_ + starts_[i];
    for (std::int64_t k = 0; k < entries(i); ++k) w[columns[k]] += step * x[k];
  }

  template <class F>
  void each(std::int64_t i, F&& f) const {
    const double* x = row(i);
    const Index* columns = columns_ + starts_[i];
    for (std::int64_t k = 0; k < entries(i); ++k) f(std::int64_t(columns[k]), x[k]);
  }

 private:
  const double* row(std::int64_t i) const {
    if (i != at_) {
      row_.resize(std::size_t(entries(i)));
      convert_(values_ + std::int64_t(starts_[i]) * size_, entries(i), row_.data());
    }
    at_ = i;
    return row_.data();
  }

  const char* values_;
  std::int64_t size_;
  Convert convert_;
  const Index* columns_;
  const Index* starts_;
  std::int64_t n_, d_;
  mutable std::vector<double> row_;
  mutable std::int64_t at_ = -1;
};

}  // namespace novikoff
