// Small valid texts of each format, and words that parsers stumble over.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

using Texts = std::vector<std::string>;

// From a plain array: a list of strings would take seconds to compile under the sanitizers.
template <std::size_t n>
Texts texts(const char* const (&all)[n]) {
  return Texts(all, all + n);
}

inline Texts tokens() {
  static constexpr const char* kWords[] = {"nan",      "inf",       "-",          "+",          "1e400",
                                           "1e-400",   "1e39",      "|",          ":",          "#",
                                           "\"",       "\"\"",      ",",          ";",          "\t",
                                           "\r\n",     "\n",        "\r",         "'",          "^",
                                           " ",        "0",         "-0",         ".",          "0.",
                                           ".5",       "1e",        "e5",         "0x10",       "qid:1",
                                           "shared",   "NA",        "null",       "1:1",        "|a b:2",
                                           " 1 1:1\n", "\n1 |x y",  ",,",         "=",          "\v",
                                           "\xff",     "\xc3\xbc",  "\xed",       "1 2 0",      "99999999",
                                           "12345678", "123456789", "3.4028e38",  "0.12345678", "1e5",
                                           "\n#1 2:3", "#\n",       "4294967295", "4294967296", "9223372036854775808"};
  Texts words = texts(kWords);
  words.emplace_back(1, '\0');
  words.emplace_back(30, '9');
  words.emplace_back(400, '7');
  words.emplace_back(70, ' ');
  words.emplace_back(100, 'a');
  words.push_back("0." + std::string(70, '0') + "1");
  return words;
}

inline Texts svmlight_seeds() {
  static constexpr const char* kLines[] = {
      "1 1:2 3:-4.5e-3 4294967295:.5\r\n",
      "-1 0:1 7:3.4 12:0.25 99:1 1000:0.125 5:1 5:2\n",
      "0 1:1\n1 2:1\n1 3:0.5 4:0.25\n",
      "# a comment\n\n  \t\n#1\n",
      "+1.0 5:1e-40 5:0.1234567890123456789#tight\n",
      "1\t2:9007199254740993 \t 3:1\n",
      "1 1:1 2:2 3:3 4:4 5:5 6:6 7:7 8:8 9:9 10:10 11:11 12:12 13:13 14:14 15:15 16:16 17:17 18:18 19:19\n",
      "-1 12345678:0.12345678 00000007:-12345678 1:1.5e10 2:-0.000001 # qid:3\n",
      "b 1:1 2:1\n",
      "1 1:3.4e38 1:1e38 2:-3.4e38\n",
      "0\n1\n-1\n"};
  return texts(kLines);
}

inline Texts vw_seeds() {
  static constexpr const char* kLines[] = {
      "1 |a x:1 y:2 z |b u v:0.5\n",
      "-1 2.5 'tag|a:0.5 x y:3 |b u\r\n",
      "0 0.5 0 tag| plain 17 0017 4294967296:2\n",
      "1 |\n| a b\n",
      "1 |a one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen x\n",
      "-1 | price:.23 sqft:.25 age:.05 2006\n",
      "1 2 second_house| price:.18 sqft:.15 age:.35 1976\n0 1 0.5 third| price:.53\n",
      "b 3 |a m:-1e10 |b n:12345678 o:0.00001 |a p\n",
      "\n \t\n1\t|a\tx:1\t\ty\n",
      "1 |a:1e38 x:3 |b Z\xc3\xbcrich:1 12345678 123456789\n"};
  return texts(kLines);
}

// A head, and records for it.
struct CsvSeeds {
  std::string head;
  char separator;
  Texts records;
};

inline std::vector<CsvSeeds> csv_seeds() {
  static constexpr const char* kAll[] = {"1,3.5,Rome,1,\"The cat, the \"\"hat\"\"\"\n",
                                         "-1,-0.25,NA,0.5,one two\r\n",
                                         "0,,x,2,\"a\nb\"\n",
                                         "b,12345678,0.12345678,1,Z\xc3\xbcrich\n",
                                         "\n",
                                         "1, 1e10 , \"q\" ,3,\n"};
  static constexpr const char* kSemicolons[] = {"1;1;2\n",          "x;-1;y\r\n", "\"a;b\";0;\"\"\n",
                                                "3.4e38;1;1e-40\n", "17;0;18\n",  ";1;\n"};
  static constexpr const char* kTabs[] = {"1\t2\t1\tsome words\n", "a b\t\"c\td\"\t0\t\"more\nwords\"\n",
                                          "\t-5\t-1\t\r\n"};
  static constexpr const char* kFew[] = {"1,2,1\n", "\"x\"\"y\",z,-1\n", "nan,null,0\n", "-1.5,.5,1\n"};
  static constexpr const char* kDates[] = {"1,2026-05-01,10001,a 1\n",
                                           "0,2026-05-01T17:45:00.25+02:00,true,\"b\"\"c\"\n", "1,,False,\n",
                                           "-1,0001-01-01 00:00:00Z,010,NA\n"};
  std::vector<CsvSeeds> seeds;
  seeds.push_back({"y,d,c,i\n", ',', texts(kDates)});
  seeds.push_back({"y,a,b,w,t\n", ',', texts(kAll)});
  seeds.push_back({"a;y;b\r\n", ';', texts(kSemicolons)});
  seeds.push_back({"\"a\"\t b \ty\tt\n", '\t', texts(kTabs)});
  seeds.push_back({"\na,\"b\n\",y\n", ',', texts(kFew)});
  return seeds;
}

inline Texts json_seeds() {
  static constexpr const char* kLines[] = {
      "{\"y\":1,\"a\":3.5,\"b\":\"Rome\",\"w\":2}\n",
      "{\"y\": 1, \"a\": -0.25, \"b\": \"Z\xc3\xbcrich\", \"w\": 1}\r\n",
      "{\"a\":1,\"y\":0,\"w\":0,\"u\":{\"age\":3,\"city\":\"Rome\",\"v\":[1,2]}}\n",
      "{\"y\":-1,\"w\":1e0,\"b\":\"\\u00e9\\ud83d\\ude00\\n\\\"\",\"t\":\"two words, TWO\"}\n",
      "{\"y\":1,\"w\":1,\"v\":[0.5,0,12345678,null,true],\"c\":[10001,\"x\",false,1.50]}\n",
      "{\"y\":0,\"w\":0.5,\"d\":\"2026-05-01T17:45:00+02:00\",\"i\":\"row 7\",\"c\":7}\n",
      "{\"y\":true,\"w\":3,\"n\":null,\"f\":false,\"17\":1e-40,\"u\":{}}\n",
      "{\"_label\":{\"Label\":1,\"Weight\":2,\"Initial\":0},\"_tag\":\"x\",\"y\":1,\"w\":1,\"u\":{\"a\":1}}\n",
      "{\"_label\":-1,\"y\":-1,\"w\":1,\"b\":\"a word that is longer than sixteen bytes, and then some\"}\n",
      "{\"y\":1,\"w\":1}\n\n \t\r\n"};
  return texts(kLines);
}

inline Texts json_tokens() {
  static constexpr const char* kWords[] = {
      "{",     "}",    "[",     "]",   ":",     ",",       "\"",       "\\",      "\n",       "\r\n",    " ",
      "null",  "true", "false", "NaN", "-",     "1e400",   "0",        "1e39",    "01",       "\\u00e9", "\\ud83d",
      "\\u12", "\xff", "\xc3",  "\t",  "[[[[[", "{\"a\":", "\"a\":1,", ",\"b\":", "\"\\\"\"", "1.5e3"};
  Texts words = texts(kWords);
  words.emplace_back(1, '\0');
  words.emplace_back(600, '[');
  words.emplace_back(40, 'a');
  words.emplace_back(30, '9');
  return words;
}

inline Texts number_seeds() {
  static constexpr const char* kLiterals[] = {"0",
                                              "-1",
                                              "12",
                                              "0.5",
                                              "-.25",
                                              "3.",
                                              "12345678",
                                              "123456789",
                                              "0.12345678",
                                              "1e22",
                                              "1e-23",
                                              "-7E+3",
                                              "1e005",
                                              "+3.2e-5",
                                              "0000012.50",
                                              "4.9e-324",
                                              "3.4028236e38",
                                              "0.123456789",
                                              "1.7976931348623157e308",
                                              "9007199254740993",
                                              "18446744073709551616",
                                              "2.2250738585072011e-308"};
  return texts(kLiterals);
}

}  // namespace fuzz
