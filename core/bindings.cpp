// The border between Python and the core: what comes in is checked here, and nowhere else.
//
// Arrays must have the type, the number of dimensions and the order of memory that is written here
// (nanobind refuses others with a TypeError); sizes that must agree are compared, and a ValueError
// says which do not. Nothing is copied, and nothing is converted in silence.

#include <cstdint>
#include <stdexcept>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "pause.hpp"
#include "sha256.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using novikoff::Pause;

template <class T>
using Line = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

static void require(bool holds, const char* what) {
  if (!holds) throw nb::value_error(what);
}

static void sha256_update(Line<std::uint32_t> state, Line<const std::uint8_t> data) {
  require(state.size() == 8, "state must have 8 words.");
  require(data.size() % novikoff::SHA256_BLOCK == 0, "data must be whole blocks of 64 bytes.");
  novikoff::Words words;
  std::copy_n(state.data(), words.size(), words.begin());
  {
    Pause pause;
    novikoff::sha256_blocks(words, data.data(), data.size(), pause);
  }
  std::copy_n(words.begin(), words.size(), state.data());
}

NB_MODULE(_core, m) {
  m.doc() = "The compiled loops: arrays in, arrays out. Sources are in core/.";
  m.def("sha256_update", &sha256_update, "state"_a.noconvert(), "data"_a.noconvert(),
        "Whole blocks of 64 bytes into the eight words of the state, in place.");
}
