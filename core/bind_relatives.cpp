// The perceptron's relatives: averaged, voted, pocket, joint, kernel, streams.

#include "border.hpp"
#include "modules.hpp"

namespace novikoff {

void bind_relatives(nb::module_&) {}

}  // namespace novikoff
