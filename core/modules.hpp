// The bindings of each area, one file an area; bindings.cpp puts them together.
#pragma once

#include <nanobind/nanobind.h>

namespace novikoff {

void bind_exact(nanobind::module_& m);
void bind_fewest(nanobind::module_& m);
void bind_learners(nanobind::module_& m);
void bind_relatives(nanobind::module_& m);
void bind_rows(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_stream(nanobind::module_& m);
void bind_text(nanobind::module_& m);
void bind_unit(nanobind::module_& m);

}  // namespace novikoff
