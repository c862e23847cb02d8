// The search for separability: nearest points, passes, column statistics.

#include "border.hpp"
#include "modules.hpp"

namespace novikoff {

void bind_search(nb::module_&) {}

}  // namespace novikoff
