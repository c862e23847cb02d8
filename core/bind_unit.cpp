// The threshold unit: how many examples it misclassifies.

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

}  // namespace border

void bind_unit(nb::module_& m) {
  m.def("count_mistakes", &border::count_mistakes, "examples"_a, "tie"_a, "weights"_a,
        "How many of the presented examples are misclassified, without learning from them.");
}

}  // namespace novikoff
