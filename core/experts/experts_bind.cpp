#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "experts/ada_normal_hedge.hpp"
#include "experts/ada_normal_hedge_tv.hpp"
#include "experts/fixed_share.hpp"
#include "experts/halving.hpp"
#include "experts/hedge.hpp"
#include "experts/leading_history.hpp"
#include "experts/mixture.hpp"
#include "experts/ml_pol.hpp"
#include "experts/normal_hedge.hpp"
#include "experts/player.hpp"
#include "experts/randomized.hpp"
#include "experts/second_order.hpp"
#include "experts/two_norm.hpp"
#include "losses/loss_bind.hpp"
#include "numeric/counts.hpp"
#include "numeric/vector_exp.hpp"
#include "numeric/vector_log.hpp"
#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The name is its own: nanobind tells types apart by name, even those without a namespace.
struct PyPlayer {
  std::unique_ptr<Player> player;
  std::unique_ptr<Lock> mutex = std::make_unique<Lock>();
};

PyPlayer copied(const PyPlayer& self) {
  const Locked locked(*self.mutex);
  return {self.player->clone()};
}

Out<double> play(const PyPlayer& self, std::optional<In<double>> confidence) {
  const Locked locked(*self.mutex);
  if (confidence && confidence->shape(0) != self.player->size())
    throw std::invalid_argument("there must be one confidence per expert");
  std::vector<double> p(self.player->size());
  self.player->play(confidence ? confidence->data() : nullptr, p.data());
  return to_numpy(std::move(p));
}

const char* word(BadEntry::What what) {
  switch (what) {
    case BadEntry::What::loss:
      return "loss";
    case BadEntry::What::missing:
      return "missing";
    case BadEntry::What::confidence:
      return "confidence";
    case BadEntry::What::nobody:
      return "nobody";
    default:
      return "asleep";
  }
}

// (None, losses, weights, totals, regrets), or a fault (what, row, column, value) alone, whose row was not played.
nb::tuple run(PyPlayer& self, Matrix losses, std::optional<Matrix> confidence, bool keep) {
  const Locked locked(*self.mutex);
  const std::size_t rows = losses.shape(0), n = self.player->size();
  if (losses.shape(1) != n || (confidence && (confidence->shape(0) != rows || confidence->shape(1) != n)))
    throw std::invalid_argument("there must be one loss and one confidence per expert");
  Rounds out;
  BadEntry fault;
  {
    const WithoutGil unlocked;
    fault = self.player->run(losses.data(), confidence ? confidence->data() : nullptr, rows, keep, out);
  }
  if (fault.what != BadEntry::What::none)
    return nb::make_tuple(nb::make_tuple(word(fault.what), fault.row, fault.column, fault.value));
  nb::object weights = nb::none();
  if (keep) weights = nb::cast(to_numpy(std::move(out.weights), rows, n));
  return nb::make_tuple(nb::none(), to_numpy(std::move(out.loss)), weights, to_numpy(std::move(out.total)),
                        to_numpy(std::move(out.regret)));
}

// (None, forecasts, weights, the scale after), or a fault alone; then nothing has changed.
nb::tuple mixed(PyPlayer& self, Matrix forecasts, In<double> y, std::optional<In<double>> weight, const PyLoss& loss,
                bool gradient, double scale, bool keep) {
  const Locked locked(*self.mutex);
  const std::size_t rows = forecasts.shape(0), n = self.player->size();
  if (forecasts.shape(1) != n || y.shape(0) != rows || (weight && weight->shape(0) != rows))
    throw std::invalid_argument("there must be one forecast per expert, and one label and weight per row");
  Mixed out;
  BadEntry fault;
  {
    const WithoutGil unlocked;
    auto player = self.player->clone();
    fault = run_mixture(*player, *loss.any, gradient, forecasts.data(), y.data(), weight ? weight->data() : nullptr,
                        rows, keep, scale, out);
    if (fault.what == BadEntry::What::none) self.player = std::move(player);
  }
  if (fault.what != BadEntry::What::none)
    return nb::make_tuple(nb::make_tuple(word(fault.what), fault.row, fault.column, fault.value));
  nb::object weights = nb::none();
  if (keep) weights = nb::cast(to_numpy(std::move(out.weights), rows, n));
  return nb::make_tuple(nb::none(), to_numpy(std::move(out.forecast)), weights, scale);
}

// The first n of each row.
std::vector<double> some(const Doubles& rows, std::size_t n, std::size_t copies = 1) {
  std::vector<double> out;
  for (std::size_t row = 0; row < copies; ++row) {
    const auto from = rows.begin() + static_cast<std::ptrdiff_t>(row * padded(n));
    out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(n));
  }
  return out;
}

nb::dict state(PyPlayer& self) {
  const Locked locked(*self.mutex);
  Player& player = *self.player;
  nb::dict out;
  const auto fields = player.fields(), numbers = player.numbers();
  for (std::size_t f = 0; f < fields.size(); ++f)
    out[fields[f]] = to_numpy(some(player.field(f), player.size(), player.copies()));
  for (std::size_t f = 0; f < numbers.size(); ++f) out[numbers[f]] = player.number(f);
  return out;
}

// The numbers that rules keep are all of this kind.
void check_rounds(double value, const char* key) {
  if (!is_count(value)) throw std::invalid_argument(std::string("the state's `") + key + "` is no number of rounds");
}

// Whether a game can lead to this number: its square is finite, and what divides or is under a root is not below 0.
bool is_possible(double value, const std::string& field) {
  return std::fabs(value) <= 1e150 && (value >= 0.0 || (field != "C" && field != "V"));
}

void set_state(PyPlayer& self, const nb::dict& state) {
  const Locked locked(*self.mutex);
  auto player = self.player->clone();
  const auto fields = player->fields(), numbers = player->numbers();
  for (std::size_t f = 0; f < numbers.size(); ++f) {
    const double value = player->number(f) = item<double>(state, numbers[f]);
    check_rounds(value, numbers[f]);
    if (player->size() == 0 && value != 0.0)
      throw std::invalid_argument(std::string("the state's `") + numbers[f] + "` is not 0, but it has no experts");
  }
  const std::size_t n = player->size(), copies = player->copies();
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const auto values = item<In<double>>(state, fields[f]);
    if (copies == 0 || values.shape(0) != copies * n)
      throw std::invalid_argument(std::string("the state's `") + fields[f] + "` has not one number per expert" +
                                  (copies == 1 ? "" : " and birth"));
    for (std::size_t i = 0; i < values.shape(0); ++i)
      if (!is_possible(values.data()[i], fields[f]))
        throw std::invalid_argument(std::string("the state's `") + fields[f] + "` has a number that no game leads to");
    player->field(f).resize(copies * padded(n));
    for (std::size_t row = 0; row < copies; ++row)
      std::copy_n(values.data() + row * n, n, player->field(f).begin() + static_cast<std::ptrdiff_t>(row * padded(n)));
  }
  player->refresh();
  self.player = std::move(player);
}

LeadingHistory& history_of(PyPlayer& self) {
  auto* found = dynamic_cast<LeadingHistory*>(self.player.get());
  if (!found) throw std::invalid_argument("the player is not one that follows the leading history");
  return *found;
}

// (copies, shares, master or None), all copied.
nb::tuple memory(PyPlayer& self) {
  const Locked locked(*self.mutex);
  const LeadingHistory::Memory& memory = history_of(self).memory();
  nb::list copies;
  for (const auto& copy : memory.copies) copies.append(nb::cast(PyPlayer{copy->clone()}));
  nb::object master = nb::none();
  if (memory.master) master = nb::cast(PyPlayer{memory.master->clone()});
  return nb::make_tuple(copies, to_numpy(std::vector<double>(memory.shares.begin(), memory.shares.end())), master);
}

void set_memory(PyPlayer& self, double rounds, const nb::list& copies, In<double> shares, const PyPlayer* master) {
  const Locked locked(*self.mutex);
  LeadingHistory::Memory memory{{}, {shares.data(), shares.data() + shares.shape(0)}, nullptr, rounds};
  for (const nb::handle copy : copies) memory.copies.push_back(nb::cast<const PyPlayer&>(copy).player->clone());
  if (master) memory.master = master->player->clone();
  if (!history_of(self).remember(std::move(memory)))
    throw std::invalid_argument("the state's `copies` or `shares` are not those of its round");
}

PyPlayer inner(PyPlayer& self) {
  const Locked locked(*self.mutex);
  const auto* found = dynamic_cast<const Randomized*>(self.player.get());
  if (!found) throw std::invalid_argument("the player is not a randomized one");
  return {found->inner().clone()};
}

template <class Rule>
void def_init(nb::class_<PyPlayer>& cls) {
  cls.def(
      "__init__",
      [](PyPlayer* self, const Rule& rule, double low, double high) {
        new (self) PyPlayer{std::make_unique<PlayerOf<Rule>>(rule, low, high)};
      },
      "rule"_a, "low"_a = 0.0, "high"_a = 1.0);
}

template <double (*function)(double)>
Out<double> map(In<double> x) {
  std::vector<double> out(x.shape(0));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = function(x.data()[i]);
  return to_numpy(std::move(out));
}

}  // namespace

static const afterwit::Announced announced("experts", [](nb::module_& m) {
  m.def("vector_exp2", &map<vector::exp2>, "y"_a, "2^y in the loops over experts, for |y| <= 1000.");
  m.def("vector_exp2_minus_exp2", &map<vector::exp2_minus_exp2>, "h"_a, "2^h - 2^-h there, for |h| <= 1.");
  m.def("vector_log1p", &map<vector::log1p>, "x"_a, "log(1 + x) in the loops over experts, for |x| <= 1/2.");

  nb::class_<AdaNormalHedgeRule>(m, "AdaNormalHedgeRule").def(nb::init<>());
  nb::class_<NormalHedgeDTRule>(m, "NormalHedgeDTRule").def(nb::init<>());
  nb::class_<HalvingRule>(m, "HalvingRule").def(nb::init<>());
  nb::class_<AdaptMLProdRule>(m, "AdaptMLProdRule").def(nb::init<>());
  nb::class_<BoaRule>(m, "BoaRule").def(nb::init<>());
  nb::class_<MLPolRule>(m, "MLPolRule").def(nb::init<>());
  nb::class_<NormalHedgeRule>(m, "NormalHedgeRule").def(nb::init<>());
  nb::class_<TwoNormRule>(m, "TwoNormRule").def(nb::init<>());
  nb::class_<HedgeRule>(m, "HedgeRule")
      .def(
          "__init__",
          [](HedgeRule* self, double rate, double horizon, double eps) { new (self) HedgeRule{rate, horizon, eps}; },
          "rate"_a, "horizon"_a, "eps"_a);
  nb::class_<AdaNormalHedgeTVRule>(m, "AdaNormalHedgeTVRule")
      .def(
          "__init__", [](AdaNormalHedgeTVRule* self, bool exact) { new (self) AdaNormalHedgeTVRule{exact}; },
          "exact"_a);
  m.def(
      "alive",
      [](std::uint64_t t, bool all) {
        if (t > 1ull << 53) throw std::invalid_argument("t is above 2^53, the largest number of a round");
        return alive(t, all);
      },
      "t"_a, "all"_a = false, "Who of those born in rounds 1, 2, ..., t is alive (ERRATA E29).");
  nb::class_<FixedShareRule>(m, "FixedShareRule")
      .def(
          "__init__", [](FixedShareRule* self, double rate, double share) { new (self) FixedShareRule{rate, share}; },
          "rate"_a, "share"_a);

  nb::class_<PyPlayer> cls(m, "Player", "A distribution over experts, played by some rule.");
  def_init<AdaNormalHedgeRule>(cls);
  def_init<NormalHedgeDTRule>(cls);
  def_init<HedgeRule>(cls);
  def_init<HalvingRule>(cls);
  def_init<NormalHedgeRule>(cls);
  def_init<TwoNormRule>(cls);
  def_init<AdaptMLProdRule>(cls);
  def_init<BoaRule>(cls);
  def_init<MLPolRule>(cls);
  def_init<FixedShareRule>(cls);
  def_init<AdaNormalHedgeTVRule>(cls);
  cls.def_static(
         "leading_history",
         [](const PyPlayer& base, const PyPlayer* master, double rate, bool exact, double low, double high) {
           return PyPlayer{std::make_unique<LeadingHistory>(*base.player, master ? master->player.get() : nullptr, rate,
                                                            exact, low, high)};
         },
         "base"_a, "master"_a.none(), "rate"_a, "exact"_a, "low"_a, "high"_a)
      .def_static(
          "randomized",
          [](const PyPlayer& player, std::uint64_t seed, bool told, double low, double high, double draws,
             double slept) {
            check_rounds(draws, "draws");
            check_rounds(slept, "slept");
            if (slept > draws) throw std::invalid_argument("the state's `slept` is no number of rounds among `draws`");
            return PyPlayer{std::make_unique<Randomized>(*player.player, seed, told, low, high, draws, slept)};
          },
          "player"_a, "seed"_a, "told"_a, "low"_a, "high"_a, "draws"_a = 0.0, "slept"_a = 0.0)
      .def("inner", &inner)
      .def("memory", &memory)
      .def("set_memory", &set_memory, "rounds"_a, "copies"_a, "shares"_a, "master"_a.none())
      .def("clone", &copied)
      .def("play", &play, "confidence"_a.none() = nb::none())
      .def("run", &run, "losses"_a, "confidence"_a.none() = nb::none(), "keep"_a = false)
      .def("mix", &mixed, "forecasts"_a, "y"_a, "weight"_a.none(), "loss"_a, "gradient"_a, "scale"_a, "keep"_a = false)
      .def(
          "add",
          [](PyPlayer& self, In<double> prior) {
            const Locked locked(*self.mutex);
            self.player->add({prior.data(), prior.data() + prior.shape(0)});
          },
          "prior"_a)
      .def(
          "remove",
          [](PyPlayer& self, std::size_t expert) {
            const Locked locked(*self.mutex);
            if (expert >= self.player->size()) throw std::out_of_range("there is no such expert");
            self.player->remove(expert);
          },
          "expert"_a)
      .def("state", &state)
      .def("set_state", &set_state, "state"_a)
      .def_prop_ro("fields", [](const PyPlayer& self) { return self.player->fields(); })
      .def_prop_ro("size", [](const PyPlayer& self) { return self.player->size(); })
      .def("prior", [](const PyPlayer& self) { return to_numpy(some(self.player->prior(), self.player->size())); });
});
