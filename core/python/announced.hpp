// What a *_bind.cpp brings to the module: it announces itself, so that no list has to name it.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

namespace afterwit {

// `name` is a room (`experts`), bound before whatever is in it (`experts/hedge`), all in the order of their names.
struct Binding {
  const char* name;
  void (*bind)(nanobind::module_&);
};

inline std::vector<Binding>& bindings() {
  static std::vector<Binding> all;
  return all;
}

struct Announced {
  Announced(const char* name, void (*bind)(nanobind::module_&)) { bindings().push_back({name, bind}); }
};

}  // namespace afterwit
