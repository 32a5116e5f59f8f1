// Damaged texts through every reader of the core, and what they yield through a model.
//
//   fuzz SEED BYTES svmlight|vw|csv|json|number
//
// Built with the address and undefined-behaviour sanitizers; ends with 1 when something that must hold does not.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "learning.hpp"
#include "mutation.hpp"
#include "numbers.hpp"
#include "outcome.hpp"
#include "reading.hpp"
#include "seeds.hpp"
#include "tables.hpp"
#include "text/csv.hpp"
#include "text/json.hpp"
#include "text/lines.hpp"
#include "text/svmlight.hpp"
#include "text/vw.hpp"

namespace fuzz {

using afterwit::LabelKind;
using afterwit::LabelReader;

constexpr double least_share = 0.3;  // of the inputs have a row

class Fuzzer {
 public:
  explicit Fuzzer(std::uint64_t seed) : random_(seed) {}

  int run(std::size_t bytes, const std::string& reader) {
    while (bytes_ < bytes) {
      const std::size_t rows = reader == "svmlight" ? svmlight()
                               : reader == "vw"     ? vw()
                               : reader == "csv"    ? csv()
                               : reader == "json"   ? json()
                                                    : number();
      ++inputs_;
      bytes_ += now_read().size();
      with_rows_ += rows > 0;
      rows_ += rows;
    }
    const double share = static_cast<double>(with_rows_) / static_cast<double>(inputs_);
    std::printf("%s: inputs %zu, bytes %zu, share %.3f, rows %zu, learned %zu\n", reader.c_str(), inputs_, bytes_,
                share, rows_, learned_);
    if (share < least_share) std::printf("broken: too few inputs have a row\n");
    return share < least_share;
  }

 private:
  // Mostly a few lines; now and then more than the parsers look at in one go.
  std::string_view next(const Mutation& mutation) {
    now_read() = mutation.input(random_, random_.one_in(1000) ? 1500 : 6);
    return now_read();
  }

  LabelReader any_labels() {
    const auto kind = static_cast<LabelKind>(random_.below(4));
    std::vector<std::string> names;
    if (kind == LabelKind::classes && random_.one_in(2)) names = {"1", "b", "0", "-1"};
    if (kind == LabelKind::binary && random_.one_in(4)) names = {"0", "1"};
    return LabelReader(kind, names);
  }

  // Two parsers of one make: one reads all, the other pieces.
  template <class Parser>
  std::size_t compare(Parser whole, Parser other, std::string_view text, const Wants& wants, LabelKind kind) {
    const Outcome outcome = read_at_once(whole, text, wants);
    require(outcome == read_in_pieces(other, text, wants, random_), "pieces give the rows of the whole");
    require(whole.classes() == other.classes(), "pieces give the classes of the whole");
    if (kind == LabelKind::classes)
      for (const double code : outcome.y)
        require(code >= 0 && code < static_cast<double>(whole.classes().size()), "a code is that of a class");
    learned_ += learning_.feed(outcome, kind, whole.classes().size(), random_);
    return outcome.y.size();
  }

  Wants any_wants() { return {!random_.one_in(3), random_.one_in(3), random_.one_in(2), random_.one_in(2)}; }

  std::size_t svmlight() {
    static const Mutation mutation(svmlight_seeds(), tokens());
    const std::string_view text = next(mutation);
    const LabelReader labels = any_labels();
    const Wants wants{!random_.one_in(3), false, false, random_.one_in(2)};
    const afterwit::Svmlight format(labels);
    using Parser = afterwit::LineParser<afterwit::Svmlight>;
    return compare(Parser(format, wants.skip, wants.packed), Parser(format, wants.skip, wants.packed), text, wants,
                   labels.kind());
  }

  std::size_t vw() {
    static const Mutation mutation(vw_seeds(), tokens());
    const std::string_view text = next(mutation);
    const LabelReader labels = any_labels();
    const Wants wants = any_wants();
    const afterwit::VwText format(labels, wants.names, wants.groups);
    using Parser = afterwit::LineParser<afterwit::VwText>;
    return compare(Parser(format, wants.skip, wants.packed), Parser(format, wants.skip, wants.packed), text, wants,
                   labels.kind());
  }

  std::size_t json() {
    static const Mutation mutation(json_seeds(), json_tokens());
    const std::string_view text = next(mutation);
    const LabelReader labels = any_labels();
    const LabelKind kind = labels.kind();
    const Wants wants = any_wants();
    afterwit::JsonOptions options;
    if (!random_.one_in(4)) options.target = "y";
    if (random_.one_in(3)) options.weight = "w";
    if (random_.one_in(2)) options.ids = {"i"};
    if (random_.one_in(2)) options.cells.categorical = {"c"};
    if (random_.one_in(2)) options.cells.text = {"t"};
    if (random_.one_in(2)) options.cells.dates = {"d"};
    if (random_.one_in(3)) options.cells.ignored = {afterwit::namespace_hash("u"), afterwit::namespace_hash("v")};
    if (random_.one_in(8)) options.cells.rules = 1, options.cells.categorical = options.cells.dates = {};
    options.skip = wants.skip;
    options.names = wants.names;
    options.groups = wants.groups;
    options.packed = wants.packed;
    return compare(afterwit::JsonParser(labels, options), afterwit::JsonParser(labels, options), text, wants, kind);
  }

  // The head is damaged only now and then: it decides about all records.
  std::size_t csv() {
    static const std::vector<CsvSeeds> all = csv_seeds();
    const CsvSeeds& seeds = random_.of(all);
    const std::string body(next(Mutation(seeds.records, tokens())));
    now_read() = (random_.one_in(10) ? Mutation({seeds.head}, tokens()).input(random_, 1) : seeds.head) + body;
    const char separator = seeds.separator;
    LabelReader labels = any_labels();
    const LabelKind kind = labels.kind();
    std::string_view text = now_read();
    const std::vector<afterwit::CsvColumn> columns = read_head(text, separator, kind);
    if (columns.empty()) return 0;
    if (kind == LabelKind::none) labels = LabelReader(LabelKind::real, {});
    const Wants wants = any_wants();
    const std::int64_t longest = random_.one_in(10) ? 40 : 1 << 20;
    check_table(text, separator, columns.size(), longest, random_);
    const afterwit::CsvParser parser(labels, columns,
                                     {separator, wants.skip, wants.names, wants.groups, wants.packed, longest});
    bool labelled = false;
    for (const auto& column : columns) labelled = labelled || column.role == afterwit::CsvRole::target;
    return compare(parser, parser, text, wants, labelled ? kind : LabelKind::none);
  }

  // The columns; the text goes on behind the head.
  static std::vector<afterwit::CsvColumn> read_head(std::string_view& text, char separator, LabelKind kind) {
    using afterwit::CsvRole;
    std::vector<afterwit::CsvColumn> columns;
    const Exact exact(text);
    afterwit::CsvScanner scanner(separator, exact.begin(), exact.end());
    std::string scratch;
    std::optional<std::size_t> id = 0;  // of the first column that is called so: two of one name are refused
    for (const char* p = exact.begin(); p != exact.end() && columns.empty();) {
      const afterwit::CsvRecord record = scanner.walk(p, true, [&](std::size_t, const afterwit::CsvCell& cell) {
        const std::string name(cell.plain(scratch));
        CsvRole role = CsvRole::number_or_word;
        if (name == "t") role = CsvRole::text;
        if (name == "d") role = CsvRole::date;
        if (name == "c") role = CsvRole::category;
        if (name == "y") role = kind == LabelKind::none ? CsvRole::unused : CsvRole::target;
        if (name == "w") role = kind == LabelKind::none ? CsvRole::unused : CsvRole::weight;
        columns.emplace_back(name, role, name == "i" ? std::exchange(id, std::nullopt) : std::nullopt);
      });
      if (!record.whole) return {};
      require(record.behind > p && record.behind <= exact.end(), "a record ends behind its begin");
      p = record.behind;
      if (!columns.empty()) text.remove_prefix(static_cast<std::size_t>(p - exact.begin()));
    }
    return columns;
  }

  std::size_t number() {
    static const Mutation mutation(number_seeds(), tokens());
    now_read() = mutation.input(random_, random_.one_in(4) ? 3 : 1);
    return check_number(now_read());
  }

  Random random_;
  Learning learning_;
  std::size_t inputs_ = 0, bytes_ = 0, with_rows_ = 0, rows_ = 0, learned_ = 0;
};

}  // namespace fuzz

int main(int count, char** arguments) {
  const std::string reader = count == 4 ? arguments[3] : "";
  if (reader != "svmlight" && reader != "vw" && reader != "csv" && reader != "json" && reader != "number") {
    std::printf("usage: fuzz SEED BYTES svmlight|vw|csv|json|number\n");
    return 2;
  }
  return fuzz::Fuzzer(std::strtoull(arguments[1], nullptr, 10)).run(std::strtoull(arguments[2], nullptr, 10), reader);
}
