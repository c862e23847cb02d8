// A CSR matrix by its rows, or a CSC matrix by its columns, as SciPy stores them.
#pragma once

#include <cstdint>

namespace novikoff {

template <class Index>
struct Compressed {
  const double* values;
  const Index* indices;
  const Index* starts;
  std::int64_t count;  // of rows, or of columns

  std::int64_t start(std::int64_t i) const { return std::int64_t(starts[i]); }
  std::int64_t end(std::int64_t i) const { return std::int64_t(starts[i + 1]); }
  std::int64_t index(std::int64_t k) const { return std::int64_t(indices[k]); }
};

}  // namespace novikoff
