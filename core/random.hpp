// Random numbers from a generator of NumPy: the stream that Python's calls would bring.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace novikoff {

// The interface of a bit generator (numpy/random/bitgen.h), which its capsule holds.
struct BitGenerator {
  void* state;
  std::uint64_t (*next_uint64)(void*);
  std::uint32_t (*next_uint32)(void*);
  double (*next_double)(void*);
  std::uint64_t (*next_raw)(void*);
};

// The density e^(−x²/2) in 255 layers of equal area above a tail from LAST on (Marsaglia and Tsang,
// "The ziggurat method for generating random variables", 2000). Layer k has the width x_k; `inner` is
// how much of it lies below the density at once, as a number of 52 bits.
struct Ziggurat {
  static constexpr int LAYERS = 256;
  static constexpr double LAST = 3.6541528853610088, AREA = 0.0049286732339746519;
  std::array<std::uint64_t, LAYERS> inner;
  std::array<double, LAYERS> width, density;

  Ziggurat() {
    const auto f = [](double x) { return std::exp(-0.5 * x * x); };
    std::array<double, LAYERS> x;
    x[LAYERS - 1] = LAST;
    for (int k = LAYERS - 2; k > 0; --k)
      x[k] = std::sqrt(-2.0 * std::log(AREA / x[k + 1] + f(x[k + 1])));
    x[0] = AREA / f(LAST);
    for (int k = 0; k < LAYERS; ++k) {
      width[k] = x[k] * 0x1p-52;
      density[k] = k == 0 ? 1.0 : f(x[k]);
      const double below = k == 0 ? LAST : k == 1 ? 0.0 : x[k - 1];
      inner[k] = std::uint64_t(below / x[k] * 0x1p52);
    }
  }
};

class Random {
 public:
  explicit Random(const BitGenerator& bits) : bits_(bits) {}

  // From 0 up to 1, without 1.
  double uniform() { return bits_.next_double(bits_.state); }

  // An integer from 0 up to `count`, without it.
  std::int64_t below(std::int64_t count) { return std::int64_t(uniform() * double(count)); }

  // From the standard normal distribution, bit after bit as NumPy takes it.
  double normal() {
    static const Ziggurat layers;
    while (true) {
      const std::uint64_t bits = bits_.next_uint64(bits_.state);
      const auto k = std::size_t(bits & 0xff);
      const bool is_negative = bits >> 8 & 1;
      const std::uint64_t place = bits >> 9 & 0x000fffffffffffff;
      const double size = double(place) * layers.width[k], x = is_negative ? -size : size;
      if (place < layers.inner[k]) return x;
      if (k == 0) return place >> 8 & 1 ? -tail() : tail();
      const double height = (layers.density[k - 1] - layers.density[k]) * uniform();
      if (height + layers.density[k] < std::exp(-0.5 * x * x)) return x;
    }
  }

 private:
  double tail() {
    while (true) {
      const double x = -std::log1p(-uniform()) / Ziggurat::LAST, y = -std::log1p(-uniform());
      if (y + y > x * x) return Ziggurat::LAST + x;
    }
  }

  const BitGenerator& bits_;
};

}  // namespace novikoff
