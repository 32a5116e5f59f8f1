#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "python/announced.hpp"
#include "text/lines.hpp"
#include "text/parser_bind.hpp"
#include "text/svmlight.hpp"
#include "text/vw.hpp"

namespace nb = nanobind;
using namespace nb::literals;

static const afterwit::Announced announced("text/lines", [](nb::module_& m) {
  using namespace afterwit;
  using Words = std::vector<std::string>;
  using SvmlightParser = LineParser<Svmlight>;
  using VwParser = LineParser<VwText>;
  bind_parser<SvmlightParser>(m, "SvmlightParser", "Parses svmlight text piece by piece.")
      .def(
          "__init__",
          [](Parser<SvmlightParser>* self, const std::string& kind, const Words& classes, bool skip, bool packed) {
            SvmlightParser parser(Svmlight(label_reader(kind, classes)), skip, packed);
            new (self) Parser<SvmlightParser>(std::move(parser), false, false);
          },
          "kind"_a, "classes"_a, "skip"_a, "packed"_a = false);
  bind_parser<VwParser>(m, "VwParser", "Parses Vowpal Wabbit's text piece by piece.")
      .def(
          "__init__",
          [](Parser<VwParser>* self, const std::string& kind, const Words& classes, bool skip, bool names, bool groups,
             bool packed, bool tags) {
            VwParser parser(VwText(label_reader(kind, classes), names, groups, tags), skip, packed);
            new (self) Parser<VwParser>(std::move(parser), names, groups);
          },
          "kind"_a, "classes"_a, "skip"_a, "names"_a = false, "groups"_a = false, "packed"_a = false, "tags"_a = false);
});
