// The module afterwit._core: one bind_* function per room, each in its own *_bind.cpp.
#include <nanobind/nanobind.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace nb = nanobind;

void bind_alone(nb::module_& m);
void bind_collisions(nb::module_& m);
void bind_experts(nb::module_& m);
void bind_hindsight(nb::module_& m);
void bind_learning(nb::module_& m);
void bind_linear(nb::module_& m);
void bind_losses(nb::module_& m);
void bind_mappings(nb::module_& m);
void bind_regret(nb::module_& m);
void bind_text(nb::module_& m);

namespace {

// What was freed and the allocator keeps: after loading modules, some megabytes.
void give_back_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The native core of afterwit.";
  m.attr("version") = AFTERWIT_VERSION;
  nb::set_leak_warnings(false);  // a model that some cache holds until the interpreter ends is no fault of its user
  m.def("give_back_memory", &give_back_memory, "Gives freed memory back to the system, where the allocator can.");
  bind_alone(m);
  bind_text(m);
  bind_mappings(m);
  bind_collisions(m);
  bind_losses(m);
  bind_regret(m);
  bind_experts(m);
  bind_linear(m);
  bind_hindsight(m);
  bind_learning(m);
}
