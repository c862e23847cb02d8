// The threshold unit: its scores, and how many examples it misclassifies.

#include <variant>

#include "border_unit.hpp"
#include "modules.hpp"
#include "pause.hpp"

namespace novikoff {

namespace border {

std::int64_t count_mistakes(nb::tuple examples, int tie, nb::tuple weights) {
  return with_examples(examples, [&](const auto& e) {
    const Weights at = weights_from(weights, e.rows.n_features());
    Pause pause;
    return novikoff::count_mistakes(e, tie, at, pause);
  });
}

void scores(nb::handle rows, Line<const double> w, Line<double> result) {
  const AnyRows any = rows_from(rows);
  const auto n = std::int64_t(result.size());
  require(n <= rows_in(any), "there is no row for each score.");
  require(std::int64_t(w.size()) == features_in(any) + 1,
          "there must be a weight for each column, and one for the bias.");
  std::visit(
      [&](const auto& r) {
        Pause pause;
        novikoff::scores(r, n, w.data(), result.data(), pause);
      },
      any);
}

}  // namespace border

void bind_unit(nb::module_& m) {
  m.def("count_mistakes", &border::count_mistakes, "examples"_a, "tie"_a, "weights"_a,
        "How many of the presented examples are misclassified, without learning from them.");
  m.def("scores", &border::scores, "rows"_a, "w"_a.noconvert(), "result"_a.noconvert(),
        "The score of each row, done exactly where rounding could have changed its sign.");
}

}  // namespace novikoff
