// The module afterwit._core: one bind_* function per room, each in its own *_bind.cpp.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_text(nb::module_& m);

NB_MODULE(_core, m) {
  m.doc() = "The native core of afterwit.";
  bind_text(m);
}
