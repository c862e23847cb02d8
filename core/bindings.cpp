// The border between Python and the core: what comes in is checked here, in the files bind_*.cpp, and
// nowhere else.
//
// Arrays must have the type, the number of dimensions and the order of memory that is written there
// (nanobind refuses others with a TypeError); sizes that must agree are compared, and a ValueError
// says which do not. Nothing is copied, and nothing is converted in silence.

#include "modules.hpp"

NB_MODULE(_core, m) {
  m.doc() = "The compiled loops: arrays in, arrays out. Sources are in core/.";
  novikoff::bind_exact(m);
  novikoff::bind_fewest(m);
  novikoff::bind_learners(m);
  novikoff::bind_relatives(m);
  novikoff::bind_rows(m);
  novikoff::bind_search(m);
  novikoff::bind_stream(m);
  novikoff::bind_text(m);
  novikoff::bind_unit(m);
}
