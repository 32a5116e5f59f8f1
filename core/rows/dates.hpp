// Dates and times as features: of the column `born` the categories `born.month=5`, `born.weekday=5` (1 is Monday) and
// `born.hour=17`, and `born.day`, the days since 1970-01-01, as a number.
//
// A time of exactly midnight is a date and has no hour: a table cannot always tell the two, and text writes both.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "numeric/number.hpp"
#include "rows/names.hpp"

namespace afterwit {

struct Moment {
  std::int64_t day = 0;  // since 1970-01-01
  int hour = -1;         // none at exactly midnight
};

// The days of the years 1 to 9999, which all inputs have.
constexpr std::int64_t first_day = -719162, last_day = 2932896;
inline bool in_years(const Moment& moment) { return moment.day >= first_day && moment.day <= last_day; }

// A time that is counted from 1970-01-01, in units of which a day has so many, at least 24 or 1.
inline Moment moment_of(std::int64_t ticks, std::int64_t per_day) {
  std::int64_t day = ticks / per_day, rest = ticks % per_day;
  if (rest < 0) --day, rest += per_day;
  return {day, rest == 0 ? -1 : static_cast<int>(rest / (per_day / 24))};
}

// A day of the calendar and the seconds since its beginning, which may be below 0 or above a day; `more` says that a
// part of a second is left.
inline Moment moment_of(std::chrono::sys_days day, std::int64_t seconds, bool more) {
  const Moment whole = moment_of(day.time_since_epoch().count() * 86400 + seconds, 86400);
  return {whole.day, more && whole.hour < 0 ? 0 : whole.hour};
}

namespace detail {

// `n` digits at p, which goes on behind them; -1 if they are not all there.
inline int digits_at(const char*& p, const char* end, int n) {
  int number = 0;
  if (end - p < n) return -1;
  for (; n > 0; --n, ++p) {
    if (!is_digit(*p)) return -1;
    number = 10 * number + (*p - '0');
  }
  return number;
}

inline bool skip(const char*& p, const char* end, char c) {
  if (p == end || *p != c) return false;
  ++p;
  return true;
}

// `17:45`, `17:45:30` or `17:45:30.25`, in seconds; `more` if there is a part of one.
inline bool read_time(const char*& p, const char* end, std::int64_t& seconds, bool& more) {
  const int hour = digits_at(p, end, 2);
  if (hour < 0 || hour > 23 || !skip(p, end, ':')) return false;
  const int minute = digits_at(p, end, 2);
  if (minute < 0 || minute > 59) return false;
  seconds = hour * 3600 + minute * 60;
  if (!skip(p, end, ':')) return true;
  const int second = digits_at(p, end, 2);
  if (second < 0 || second > 59) return false;
  seconds += second;
  if (!skip(p, end, '.')) return true;
  const char* fraction = p;
  for (; p != end && is_digit(*p); ++p) more = more || *p != '0';
  return p != fraction;
}

// Nothing, `Z`, `+02`, `+0200` or `+02:00`, in seconds, up to the end.
inline bool read_offset(const char* p, const char* end, std::int64_t& seconds) {
  if (p == end) return true;
  if (*p == 'Z' || *p == 'z') return p + 1 == end;
  const int sign = *p == '-' ? -1 : 1;
  if (!skip(p, end, '+') && !skip(p, end, '-')) return false;
  const int hours = digits_at(p, end, 2);
  if (hours < 0 || hours > 23) return false;
  int minutes = 0;
  if (p != end) {
    skip(p, end, ':');
    minutes = digits_at(p, end, 2);
  }
  if (minutes < 0 || minutes > 59) return false;
  seconds = sign * (hours * 3600 + minutes * 60);
  return p == end;
}

}  // namespace detail

// ISO 8601: `2026-05-01`, or with a time behind a T or a blank: `2026-05-01T17:45`, `2026-05-01 17:45:30.25+02:00`. A
// time with an offset is taken in UTC. False for anything else, and outside of the years that there are.
inline bool read_date(std::string_view text, Moment& moment) {
  using namespace std::chrono;
  const char *p = text.data(), *end = p + text.size();
  const int y = detail::digits_at(p, end, 4);
  if (y < 0 || !detail::skip(p, end, '-')) return false;
  const int m = detail::digits_at(p, end, 2);
  if (m < 0 || !detail::skip(p, end, '-')) return false;
  const int d = detail::digits_at(p, end, 2);
  if (d < 0) return false;
  const year_month_day date(year(y), month(static_cast<unsigned>(m)), day(static_cast<unsigned>(d)));
  if (!date.ok()) return false;
  std::int64_t seconds = 0, offset = 0;
  bool more = false;
  if (p != end) {
    if (!detail::skip(p, end, 'T') && !detail::skip(p, end, 't') && !detail::skip(p, end, ' ')) return false;
    if (!detail::read_time(p, end, seconds, more) || !detail::read_offset(p, end, offset)) return false;
  }
  moment = moment_of(sys_days(date), seconds - offset, more);
  return in_years(moment);
}

// The features of a column's dates, hashed once.
class DateFeatures {
 public:
  DateFeatures(std::string column, std::uint64_t space) : column_(std::move(column)) {
    const auto fill = [&](auto& keys, const char* part) {
      for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = key_of_name(column_ + part + std::to_string(i), space);
    };
    fill(months_, ".month=");
    fill(weekdays_, ".weekday=");
    fill(hours_, ".hour=");
    day_ = key_of_name(column_ + ".day", space);
  }

  // Calls f(key, value, name) for each, of a moment in the years that there are; the name is built only when f asks.
  template <class F>
  void each(const Moment& moment, F f) const {
    using namespace std::chrono;
    const sys_days at{days(moment.day)};
    part(f, months_, static_cast<unsigned>(year_month_day(at).month()), ".month=");
    part(f, weekdays_, weekday(at).iso_encoding(), ".weekday=");
    if (moment.hour >= 0) part(f, hours_, static_cast<unsigned>(moment.hour), ".hour=");
    f(day_, static_cast<double>(moment.day), [&] { return column_ + ".day"; });
  }

 private:
  template <class F, class Keys>
  void part(F& f, const Keys& keys, unsigned i, const char* name) const {
    f(keys[i], 1.0, [&] { return column_ + name + std::to_string(i); });
  }

  std::string column_;
  std::array<std::uint64_t, 13> months_;
  std::array<std::uint64_t, 8> weekdays_;
  std::array<std::uint64_t, 24> hours_;
  std::uint64_t day_;
};

// What a table writes where there is no date.
constexpr std::int64_t not_a_time = std::numeric_limits<std::int64_t>::min();

}  // namespace afterwit
