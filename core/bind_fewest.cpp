// The search for fewest errors: conflicts, covering, line search.

#include "border.hpp"
#include "modules.hpp"

namespace novikoff {

void bind_fewest(nb::module_&) {}

}  // namespace novikoff
