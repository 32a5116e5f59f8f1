#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "python/announced.hpp"
#include "rows/cells.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

static const afterwit::Announced announced("rows/cells", [](nb::module_& m) {
  using Words = std::vector<std::string>;
  nb::enum_<CellUse>(m, "CellUse", "What a model says of a column.")
      .value("plain", CellUse::plain)
      .value("text", CellUse::text)
      .value("category", CellUse::category)
      .value("date", CellUse::date);
  nb::class_<CellRules>(m, "CellRules", "By which rules cells become features.")
      .def(
          "__init__",
          [](CellRules* self, Words text, Words dates, Words categorical, const std::vector<std::uint64_t>& kept,
             const std::vector<std::uint64_t>& ignored, int rules) {
            if (rules < 1 || rules > CellRules::newest) throw std::invalid_argument("there are no such rules");
            new (self) CellRules{std::move(text),
                                 std::move(dates),
                                 std::move(categorical),
                                 {kept.begin(), kept.end()},
                                 {ignored.begin(), ignored.end()},
                                 rules};
          },
          "text"_a = Words(), "dates"_a = Words(), "categorical"_a = Words(), "kept"_a = std::vector<std::uint64_t>(),
          "ignored"_a = std::vector<std::uint64_t>(), "rules"_a = CellRules::newest)
      .def_ro("rules", &CellRules::rules)
      .def("use", &CellRules::use, "column"_a, "What is said of a column.");
});
