// Exact signs, sums, residues, elimination modulo a prime.

#include "border.hpp"
#include "modules.hpp"

namespace novikoff {

void bind_exact(nb::module_&) {}

}  // namespace novikoff
