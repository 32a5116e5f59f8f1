// JSON lines as rows: an object a line, as the mapping of its keys would be. A number is the feature `price`, a word
// `city=Rome` with value 1, an object a namespace, an array each of its words or numbers (rows/cells.hpp has the rule).
// A value that is not asked for is only checked.
#pragma once

#include <algorithm>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "numeric/number.hpp"
#include "rows/cells.hpp"
#include "rows/dates.hpp"
#include "rows/names.hpp"
#include "rows/rows.hpp"
#include "text/columns_met.hpp"
#include "text/faults.hpp"
#include "text/json_keys.hpp"
#include "text/json_scanner.hpp"
#include "text/labels.hpp"
#include "text/parsed.hpp"

namespace afterwit {

// What the rows are read for. Where the target is `_label`, as in Vowpal Wabbit's JSON, it may be an object with a
// Label and a Weight, and `_tag` is no feature.
struct JsonOptions {
  std::string target = "_label";
  std::optional<std::string> weight{};
  std::vector<std::string> ids{};
  CellRules cells{};
  bool skip = false;
  bool names = false;
  bool groups = false;
  bool packed = false;
};

class JsonParser {
 public:
  // Above so many keys, or bytes of names, they are forgotten and met anew.
  static constexpr std::size_t most_keys = 1 << 16, most_bytes = 1 << 20;

  JsonParser(LabelReader labels, JsonOptions options)
      : labels_(std::move(labels)),
        options_(std::move(options)),
        labelled_(labels_.kind() != LabelKind::none),
        weighted_(labelled_ && options_.weight),
        vw_(options_.target == "_label") {}

  // Reads whole lines of [begin, end), and the rest if `final`, up to max_rows rows. A bad line is dropped and counted
  // when skipping, and otherwise ends the work before it.
  ParsedText parse(const char* begin, const char* end, bool final, std::int64_t max_rows) {
    ParsedText result;
    Rows& rows = result.rows;
    rows = Rows(options_.packed);
    rows.weighted = weighted_;
    rows.ids.resize(options_.ids.size());
    rows.kept.expected = most_features_ + most_features_ / 16;
    const char* p = begin;
    while (p != end && static_cast<std::int64_t>(rows.size()) < max_rows) {
      const auto* newline = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
      if (newline == nullptr && !final) break;
      const char* stop = newline == nullptr ? end : newline;
      line_.begin(p, stop, end);
      const std::size_t known = labels_.classes().size();
      if (!read_line(rows)) {
        if (result.bad_lines.size() < kept_bad_lines || !options_.skip)
          result.bad_lines.push_back(bad_line(begin, p, result.lines + 1));
        labels_.shrink(known);
        rows.drop_row();
        forget_row();
        result.stopped = !options_.skip;
        if (result.stopped) break;
        ++result.skipped;
      }
      forget_many();
      p = newline == nullptr ? end : newline + 1;
      ++result.lines;
    }
    result.consumed = p - begin;
    most_features_ = std::max(most_features_, rows.kept.size);
    return result;
  }

  const std::vector<ClassName>& classes() const { return labels_.classes(); }

  // The keys of the rows so far in the order in which they came; nothing if they are too many.
  std::optional<ColumnsMet> columns_met() const {
    if (forgotten_) return {};
    ColumnsMet told{rows_};
    for (const JsonKey& key : keys_.all())
      if (key.rows.met()) told.columns.push_back({key.name, key.rows});
    return told;
  }

 private:
  bool read_line(Rows& rows) {
    ++row_;
    met_.clear();
    here_ = nullptr;
    has_label_ = has_weight_ = false;
    y_ = 0;
    weight_ = 1;
    line_.skip_blanks();
    if (line_.at == line_.end) return true;
    if (*line_.at != '{') return line_.fail_here(Fault::json_no_object);
    ids_.assign(options_.ids.size(), {});
    if (!read_object(keys_, nullptr, [&](JsonKey& key) { return read_member(key, rows); })) return false;
    here_ = nullptr;
    const std::string_view brace(line_.at - 1, 1);
    line_.skip_blanks();
    if (line_.at != line_.end) return line_.fail_here(Fault::json_more_behind);
    if (labelled_ && !has_label_) return line_.fail(Fault::label_missing, brace);
    if (weighted_ && !has_weight_) return line_.fail(Fault::weight_missing, brace);
    rows.end_row(y_, weight_);
    for (std::size_t i = 0; i < ids_.size(); ++i) rows.ids[i].push_back(std::move(ids_[i]));
    ++rows_;
    return true;
  }

  // An object, whose brace is here; on_value(key) reads the value of each key. `space` is that of an object inside.
  template <class F>
  bool read_object(JsonKeys& keys, const JsonKey* space, F on_value) {
    const char* open = line_.at;
    if (!line_.enter('}')) return true;
    JsonKey* before = nullptr;
    for (bool done = false; !done;) {
      here_ = space;
      before = read_key(keys, space, before);
      if (before == nullptr || !line_.colon()) return false;
      here_ = before;
      if (line_.at == line_.end) return line_.fail_here(Fault::json_no_value);
      if (!on_value(*before)) return false;
      if (!line_.next('}', open, done)) return false;
    }
    return true;
  }

  JsonKey* read_key(JsonKeys& keys, const JsonKey* space, JsonKey* before) {
    const char* open = line_.at;
    if (open == line_.end || *open != '"') return line_.fail_here(Fault::json_no_key), nullptr;
    JsonKey* key = keys.expected(before);
    const std::size_t size = key == nullptr ? 0 : key->name.size();
    if (key != nullptr && key->plain && static_cast<std::size_t>(line_.end - open) > size + 1 &&
        open[size + 1] == '"' && same_bytes({open + 1, size}, key->name)) {
      line_.at = open + size + 2;
    } else {
      std::string_view name;
      if (!line_.string(name, name_)) return nullptr;
      key = &keys.find(name, before, [&](std::string made) { return make_key(std::move(made), space); });
    }
    key_text_ = {open + 1, static_cast<std::size_t>(line_.at - open - 2)};
    if (key->row == row_) return line_.fail(Fault::json_key_twice, key_text_), nullptr;
    key->row = row_;
    if (space == nullptr) {
      key->rows.meet(rows_);
      met_.push_back(key);
    }
    return key;
  }

  JsonKey make_key(std::string name, const JsonKey* space) {
    ++key_count_;
    JsonKey key;
    key.name = std::move(name);
    key.plain = std::none_of(key.name.begin(), key.name.end(),
                             [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
    key.space = space;
    key.group = space == nullptr ? namespace_hash(key.name) : space->group;
    key.key = key_of_name(key.name, space == nullptr ? no_namespace : space->group);
    key.role = JsonRole::feature;
    if (space != nullptr) return key;
    const CellRules& cells = options_.cells;
    const auto id = std::find(options_.ids.begin(), options_.ids.end(), key.name);
    if (id != options_.ids.end()) key.id = static_cast<std::size_t>(id - options_.ids.begin());
    if (key.name == options_.target) {
      key.role = labelled_ ? JsonRole::target : JsonRole::unread;
    } else if (key.name == options_.weight) {
      key.role = labelled_ ? JsonRole::weight : JsonRole::unread;
    } else if (!cells.reads(key.group) || (vw_ && key.name == "_tag")) {
      key.role = JsonRole::unread;
    } else if (cells.use(key.name) != CellUse::plain) {
      key.use = cells.use(key.name);
      key.cell = std::make_unique<CellFeatures>(key.name, key.use, cells.rules);
    }
    return key;
  }

  // The value of a key of the row itself.
  bool read_member(JsonKey& key, Rows& rows) {
    const char* value = line_.at;
    if (!read_by_role(key, rows)) return false;
    if (!key.id) return true;
    std::string& id = ids_[*key.id];
    if (*value != '"') {
      const std::string_view text(value, static_cast<std::size_t>(line_.at - value));
      if (text != "null") id = text;
      return true;
    }
    const char* behind = line_.at;
    line_.at = value;
    std::string_view text;
    if (!line_.string(text, text_)) return false;
    id = text;
    line_.at = behind;
    return true;
  }

  bool read_by_role(JsonKey& key, Rows& rows) {
    switch (key.role) {
      case JsonRole::feature:
        return read_feature(key, rows);
      case JsonRole::target:
        return vw_ && *line_.at == '{' ? read_vw_label() : read_label();
      case JsonRole::weight:
        return read_weight(weight_, has_weight_);
      case JsonRole::unread:
        break;
    }
    return line_.skip_value();
  }

  bool read_label() {
    std::string_view text;
    JsonNumber number;
    const char* at = line_.at;
    Fault fault = Fault::none;
    switch (*at) {
      case '"':
        if (!line_.string(text, text_)) return false;
        fault = text.empty() ? Fault::label_missing : labels_.read(text, y_);
        break;
      case 't':
      case 'f':
        if (!line_.word(*at == 't' ? "true" : "false")) return false;
        // As in Python, it is 1 or 0, but where a class is called so.
        fault = labels_.read(*at == 't' ? "1" : "0", y_);
        if (fault == Fault::label_unknown) fault = labels_.read(*at == 't' ? "true" : "false", y_);
        break;
      case 'n':
        if (!line_.word("null")) return false;
        fault = Fault::label_missing;
        break;
      case '{':
      case '[':
        return line_.skip_value() && line_.fail(Fault::label_nested, {at, static_cast<std::size_t>(line_.at - at)});
      default:
        if (!read_number(number)) return false;
        fault = labels_.read(number.text, y_);
    }
    has_label_ = true;
    const bool quoted = *at == '"' && !text.empty();
    return fault == Fault::none ||
           line_.fail(fault, {at + quoted, static_cast<std::size_t>(line_.at - at) - 2 * quoted});
  }

  // {"Label": 1, "Weight": 2, "Initial": 0}
  bool read_vw_label() {
    const JsonKey* label = here_;
    const bool read = read_object(label_keys_, label, [&](JsonKey& key) {
      bool given = false;
      if (key.name == "Label") return read_label();
      if (key.name == "Weight") return read_weight(weight_, given);
      if (key.name != "Initial") return line_.fail(Fault::label_nested, key_text_);
      const char* at = line_.at;
      JsonNumber base;
      if (!read_number(base)) return false;
      return base.value == 0 || line_.fail(Fault::base_not_zero, {at, static_cast<std::size_t>(line_.at - at)});
    });
    if (!read) return false;
    here_ = label;
    return has_label_ || line_.fail(Fault::label_missing, {line_.at - 1, 1});
  }

  bool read_weight(double& weight, bool& given) {
    const std::string_view token = line_.token();
    if (token == "null") return line_.fail(Fault::weight_missing, token);
    if (!is_digit(token[0]) && token[0] != '-') {
      const char* at = line_.at;
      return line_.skip_value() && line_.fail(Fault::weight_not_number, {at, static_cast<std::size_t>(line_.at - at)});
    }
    JsonNumber number;
    if (!line_.number(number)) return false;
    given = true;
    weight = number.value;
    if (token[0] == '-' && (weight < 0 || !number.fits)) return line_.fail(Fault::weight_negative, number.text);
    return (number.fits && weight <= FLT_MAX) || line_.fail(Fault::weight_too_large, number.text);
  }

  // A number, or whatever is wrong with what stands where one should be.
  bool read_number(JsonNumber& number) {
    switch (*line_.at) {
      case '}':
      case ']':
      case ',':
      case ':':
        return line_.fail_here(Fault::json_no_value);
      case '+':
      case '-':
      case '.':
        return line_.number(number);
      default:
        return is_digit(*line_.at) ? line_.number(number) : line_.fail_here(Fault::json_word);
    }
  }

  bool read_feature(JsonKey& key, Rows& rows) {
    if (key.use != CellUse::plain && *line_.at != '{') return read_named(key, rows);
    switch (*line_.at) {
      case '"': {
        std::string_view text;
        if (!line_.string(text, text_)) return false;
        return add_word(key, text, rows), true;
      }
      case 't':
        if (!line_.word("true")) return false;
        return add(key, key.key, 1.0, {}, rows), true;
      case 'f':
        return line_.word("false");
      case 'n':
        return line_.word("null");
      case '{':
        if (key.space != nullptr) return line_.fail_here(Fault::json_nested_twice);
        if (!key.inside) key.inside = std::make_unique<JsonKeys>();
        return read_object(*key.inside, &key, [&](JsonKey& inner) { return read_feature(inner, rows); });
      case '[':
        return read_array(key, rows);
      default:
        return read_value(key, key.key, {}, rows);
    }
  }

  // A number as a value; `rest` is what its name has behind that of the key.
  bool read_value(JsonKey& key, std::uint64_t hash, std::string_view rest, Rows& rows) {
    JsonNumber number;
    if (!read_number(number)) return false;
    if (!number.fits) return line_.fail(Fault::value_infinite, number.text);
    if (std::abs(number.value) > FLT_MAX) return line_.fail(Fault::value_too_large, number.text);
    if (number.value != 0) add(key, hash, number.value, rest, rows);
    return true;
  }

  bool read_array(JsonKey& key, Rows& rows) {
    const char* open = line_.at;
    if (options_.cells.rules == 1) return line_.fail(Fault::json_array_unread, {open, 1});
    bool words = false, numbers = false;
    if (!line_.enter(']')) return true;
    bool done = false;
    for (std::size_t i = 0; !done; ++i) {
      const char c = line_.at == line_.end ? ']' : *line_.at;
      if (c == '[' || c == '{') return line_.fail_here(Fault::json_array_nested);
      if (c == 'n') {
        if (!line_.word("null")) return false;
      } else {
        const char* element = line_.at;
        if (!(c == '"' ? read_feature(key, rows) : read_placed(key, i, rows))) return false;
        (c == '"' ? words : numbers) = true;
        if (words && numbers)
          return line_.fail(Fault::json_array_mixed, {element, static_cast<std::size_t>(line_.at - element)});
      }
      if (!line_.next(']', open, done)) return false;
    }
    return true;
  }

  bool read_placed(JsonKey& key, std::size_t i, Rows& rows) {
    if (line_.at == line_.end) return line_.fail_here(Fault::json_no_value);
    if (*line_.at == 'f') return line_.word("false");
    place_.assign(key.name);
    const std::size_t size = place_.size();
    place_ += '[';
    char digits[20];
    place_.append(digits, std::to_chars(digits, digits + sizeof digits, i).ptr);
    place_ += ']';
    const std::uint64_t hash = key_of_name(place_, key.space == nullptr ? no_namespace : key.group);
    const std::string_view rest = std::string_view(place_).substr(size);
    if (*line_.at != 't') return read_value(key, hash, rest, rows);
    if (!line_.word("true")) return false;
    return add(key, hash, 1.0, rest, rows), true;
  }

  // The value of a key of which more is known than its name.
  bool read_named(JsonKey& key, Rows& rows) {
    if (*line_.at == 'n') return line_.word("null");
    if (key.use == CellUse::date) return read_date_text(key, rows);
    if (*line_.at != '[') return read_cell(key, rows);
    const char* open = line_.at;
    if (options_.cells.rules == 1) return line_.fail(Fault::json_array_unread, {open, 1});
    if (!line_.enter(']')) return true;
    for (bool done = false; !done;) {
      if (line_.at == line_.end) return line_.fail_here(Fault::json_no_value);
      if (*line_.at == '[' || *line_.at == '{') return line_.fail_here(Fault::json_array_nested);
      if (!(*line_.at == 'n' ? line_.word("null") : read_cell(key, rows))) return false;
      if (!line_.next(']', open, done)) return false;
    }
    return true;
  }

  // A word, a number or a boolean in a column of categories or text.
  bool read_cell(JsonKey& key, Rows& rows) {
    const auto push = [&](std::uint64_t hash, double value, auto name) { this->push(key, hash, value, name, rows); };
    const char c = *line_.at;
    std::string_view text;
    if (c == '"') {
      if (!line_.string(text, text_)) return false;
      return key.cell->word(text, push), true;
    }
    if (c == 't' || c == 'f') {
      if (!line_.word(c == 't' ? "true" : "false")) return false;
      return key.cell->boolean(c == 't', push), true;
    }
    if (options_.cells.rules == 1) return read_value(key, key.key, {}, rows);
    JsonNumber number;
    if (!read_number(number)) return false;
    if (!number.fits) return line_.fail(Fault::value_infinite, number.text);
    if (number.whole) return key.cell->word(number.text == "-0" ? "0" : number.text, push), true;
    return key.cell->number(number.value, push), true;
  }

  bool read_date_text(JsonKey& key, Rows& rows) {
    const char* at = line_.at;
    std::string_view text;
    Moment moment;
    if (*at != '"') {
      return line_.skip_value() && line_.fail(Fault::cell_no_date, {at, static_cast<std::size_t>(line_.at - at)});
    }
    if (!line_.string(text, text_)) return false;
    if (text.empty()) return true;
    if (!read_date(text, moment))
      return line_.fail(Fault::cell_no_date, {at + 1, static_cast<std::size_t>(line_.at - at - 2)});
    key.cell->moment(moment, [&](std::uint64_t hash, double value, auto name) { push(key, hash, value, name, rows); });
    return true;
  }

  void add_word(JsonKey& key, std::string_view text, Rows& rows) {
    if (text.empty() && options_.cells.rules != 1) return;
    word_.assign(key.name);
    word_ += '=';
    word_ += text;
    const std::uint64_t hash = key_of_name(word_, key.space == nullptr ? no_namespace : key.group);
    add(key, hash, 1.0, std::string_view(word_).substr(key.name.size()), rows);
  }

  void add(const JsonKey& key, std::uint64_t hash, double value, std::string_view rest, Rows& rows) const {
    push(key, hash, value, [&] { return key.shown().append(rest); }, rows);
  }
  template <class Name>
  void push(const JsonKey& key, std::uint64_t hash, double value, Name name, Rows& rows) const {
    if (value == 0) return;
    rows.add(hash, value);
    if (options_.groups) rows.groups.push_back(key.group);
    if (options_.names) rows.names.push_back(name());
  }

  BadLine bad_line(const char* begin, const char* line_begin, std::int64_t line) const {
    const auto& [fault, token] = line_.problem;
    return {fault,
            line,
            token.data() - line_begin + 1,
            token.data() - begin,
            static_cast<std::int64_t>(token.size()),
            0,
            0,
            here_ == nullptr ? std::string() : here_->shown()};
  }

  void forget_row() {
    for (JsonKey* key : met_) key->rows.forget(rows_);
  }
  // Rows may have ever other keys; memory does not grow with them.
  void forget_many() {
    if (keys_.bytes() > most_bytes || keys_.all().size() > most_keys) {
      keys_ = {};
      forgotten_ = true;
    } else if (key_count_ > 2 * most_keys) {
      for (JsonKey& key : keys_.all()) key.inside.reset();
    } else {
      return;
    }
    label_keys_ = {};
    key_count_ = keys_.all().size();
  }

  LabelReader labels_;
  JsonOptions options_;
  bool labelled_, weighted_, vw_;
  JsonKeys keys_, label_keys_;
  std::size_t key_count_ = 0, most_features_ = 0;
  std::int64_t rows_ = 0;
  bool forgotten_ = false;
  // Of the line being read:
  JsonScanner line_;
  std::uint64_t row_ = 0;
  std::vector<JsonKey*> met_;
  const JsonKey* here_ = nullptr;
  std::string_view key_text_;
  bool has_label_ = false, has_weight_ = false;
  double y_ = 0, weight_ = 1;
  std::vector<std::string> ids_;
  std::string name_, text_, word_, place_;
};

}  // namespace afterwit
