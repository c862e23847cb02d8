// The perceptron, its orders and its watchers.

#include "border.hpp"
#include "modules.hpp"

namespace novikoff {

void bind_learners(nb::module_&) {}

}  // namespace novikoff
