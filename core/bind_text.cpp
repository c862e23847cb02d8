// Text, hashes and sums of columns: what reading files calls.

#include <algorithm>
#include <cstdint>

#include "border.hpp"
#include "columns.hpp"
#include "modules.hpp"
#include "pause.hpp"
#include "sha256.hpp"
#include "svmlight.hpp"
#include "text_numbers.hpp"

namespace novikoff {

namespace border {

void sha256_update(Line<std::uint32_t> state, Line<const std::uint8_t> data) {
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

// 10ᵉ for all exponents in question, made by Python with fractions: see `text_numbers.py`.
using Table = nb::ndarray<const double, nb::shape<novikoff::Powers::COUNT, 2>, nb::c_contig,
                          nb::device::cpu>;

void require_line_end(const Line<const std::uint8_t>& data) {
  require(data.size() > 0 && data.data()[data.size() - 1] == '\n', "data must end with a line end.");
}

nb::tuple number_at(Line<const std::uint8_t> data, std::int64_t start, Table powers) {
  require_line_end(data);
  require(0 <= start && start < std::int64_t(data.size()), "start must be a place in data.");
  const auto found = novikoff::number_at(data.data(), start, {powers.data()});
  return nb::make_tuple(found.value, found.end, std::int64_t(found.how));
}

void read_texts(Line<const std::uint8_t> data, Line<const std::int32_t> offsets, Table powers,
                       Line<double> values, Line<std::int8_t> how) {
  const std::size_t n = values.size();
  require(how.size() == n && offsets.size() == n + 1, "a text has two offsets, a value and a how.");
  const std::int32_t* at = offsets.data();
  bool grow = at[0] >= 0 && std::size_t(at[n]) <= data.size();
  for (std::size_t i = 0; i < n; ++i) grow = grow && at[i] <= at[i + 1];
  require(grow, "offsets must grow from 0 to the end of data.");
  Pause pause;
  novikoff::read_texts(data.data(), at, std::int64_t(n), {powers.data()}, values.data(), how.data(),
                       pause);
}

bool has_long_number(Line<const std::uint8_t> text) {
  Pause pause;
  return novikoff::has_long_number(text.data(), std::int64_t(text.size()), pause);
}

nb::tuple parse_svmlight(Line<const std::uint8_t> data, Table powers, Line<double> labels,
                                Line<std::int64_t> indptr, Line<std::int32_t> indices,
                                Line<double> values, Grid<std::int64_t> doubtful) {
  require_line_end(data);
  require(indptr.size() == labels.size() + 1, "indptr must be one longer than labels.");
  require(indices.size() == values.size(), "an index needs a value.");
  require(doubtful.shape(1) == 2, "doubtful must have two columns.");
  novikoff::SvmlightFacts facts;
  {
    Pause pause;
    facts = novikoff::parse_svmlight(
        data.data(), std::int64_t(data.size()), {powers.data()},
        {labels.data(), indptr.data(), std::int64_t(labels.size()), indices.data(), values.data(),
         std::int64_t(values.size()), doubtful.data(), std::int64_t(doubtful.shape(0))},
        pause);
  }
  return nb::make_tuple(facts.rows, facts.stored, facts.printed, facts.doubts,
                        std::int64_t(facts.why), facts.where);
}

void add_columns(Grid<const double> X, Line<const double> centre, bool squared,
                        Line<double> totals, Line<double> tails, Grid<double> ends) {
  const std::size_t d = X.shape(1);
  require(centre.size() == d && totals.size() == d && tails.size() == d, "a number a column.");
  require(ends.shape(0) == 2 && ends.shape(1) == d, "ends must be two numbers a column.");
  Pause pause;
  novikoff::add_columns(X.data(), std::int64_t(X.shape(0)), std::int64_t(d), centre.data(), squared,
                        {totals.data(), tails.data(), ends.data(), ends.data() + d}, pause);
}

}  // namespace border

void bind_text(nb::module_& m) {
  m.def("sha256_update", &border::sha256_update, "state"_a.noconvert(), "data"_a.noconvert(),
        "Whole blocks of 64 bytes into the eight words of the state, in place.");
  m.def("number_at", &border::number_at, "data"_a.noconvert(), "start"_a, "powers"_a.noconvert(),
        "The number that is written from start on, where it ends, and how it is held.");
  m.def("read_texts", &border::read_texts, "data"_a.noconvert(), "offsets"_a.noconvert(),
        "powers"_a.noconvert(), "values"_a.noconvert(), "how"_a.noconvert(),
        "The number of each text, and how it is held.");
  m.def("has_long_number", &border::has_long_number, "text"_a.noconvert(),
        "Whether some bytes may write a number of over 15 digits, or of a very large exponent.");
  m.def("parse_svmlight", &border::parse_svmlight, "data"_a.noconvert(), "powers"_a.noconvert(),
        "labels"_a.noconvert(), "indptr"_a.noconvert(), "indices"_a.noconvert(),
        "values"_a.noconvert(), "doubtful"_a.noconvert(),
        "Lines of svmlight into the arrays of CSR: rows, pairs, printed, doubtful, why, where.");
  m.def("add_columns", &border::add_columns, "X"_a.noconvert(), "centre"_a.noconvert(), "squared"_a,
        "totals"_a.noconvert(), "tails"_a.noconvert(), "ends"_a.noconvert(),
        "Add each row's distances from a centre, or their squares, to sums with their roundings.");
}

}  // namespace novikoff
