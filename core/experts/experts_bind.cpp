// What all players have in common. An algorithm has bindings of its own: NAME_bind.cpp.
#include <nanobind/stl/optional.h>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "experts/player_bind.hpp"
#include "numeric/vector_exp.hpp"
#include "numeric/vector_log.hpp"
#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/lock.hpp"
#include "python/state.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

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

Game game_of(const PyPlayer& self, const Matrix& losses, const std::optional<Matrix>& confidence) {
  const std::size_t rows = losses.shape(0), n = self.player->size();
  if (losses.shape(1) != n || (confidence && (confidence->shape(0) != rows || confidence->shape(1) != n)))
    throw std::invalid_argument("there must be one loss and one confidence per expert");
  return {losses.data(), confidence ? confidence->data() : nullptr, rows};
}

// (None, losses, weights, totals, regrets), or a fault (what, row, column, value) alone, whose row was not played.
nb::tuple run(PyPlayer& self, Matrix losses, std::optional<Matrix> confidence, bool keep) {
  const Locked locked(*self.mutex);
  const Game game = game_of(self, losses, confidence);
  const std::size_t n = self.player->size();
  std::vector<double> loss(game.rows), kept(keep ? game.rows * n : 0), total(n), regret(n);
  BadEntry fault;
  {
    const WithoutGil unlocked;
    fault = self.player->run(game, {loss.data(), keep ? kept.data() : nullptr, total.data(), regret.data()});
  }
  if (fault) return nb::make_tuple(fault_of(fault));
  nb::object weights = nb::none();
  if (keep) weights = nb::cast(to_numpy(std::move(kept), game.rows, n));
  return nb::make_tuple(nb::none(), to_numpy(std::move(loss)), weights, to_numpy(std::move(total)),
                        to_numpy(std::move(regret)));
}

// The same with nothing but the fault, or None, to tell.
std::optional<nb::tuple> update(PyPlayer& self, Matrix losses, std::optional<Matrix> confidence) {
  const Locked locked(*self.mutex);
  const Game game = game_of(self, losses, confidence);
  BadEntry fault;
  {
    const WithoutGil unlocked;
    fault = self.player->run(game, {});
  }
  if (fault) return fault_of(fault);
  return {};
}

nb::dict state(PyPlayer& self) {
  const Locked locked(*self.mutex);
  StateWriter out;
  self.player->visit(out);
  return out.written();
}

// Whether a game can lead to this number: its square is finite, and C, V and B, which stand under fractions and roots,
// are not below 0.
bool is_possible(double value, const std::string& field) {
  return std::fabs(value) <= 1e150 && (value >= 0.0 || (field != "C" && field != "V" && field != "B"));
}

// Refuses what no game of so many experts leads to.
class GameReader final : public StateReader {
 public:
  GameReader(const nb::dict& state, std::size_t experts) : StateReader(state), experts_(experts) {}

  using StateReader::numbers;
  void number(const char* name, double& value) override {
    StateReader::number(name, value);
    check_rounds(value, name);
    if (experts_ == 0 && value != 0.0)
      throw std::invalid_argument(std::string("the state's `") + name + "` is not 0, but it has no experts");
  }
  // There are no rows where the rounds are more than there can be.
  void expect(const char* name, const Shape& shape) override {
    if (shape.rows == 0) refuse(name, shape);
    StateReader::expect(name, shape);
  }
  void numbers(const char* name, double* first, const Shape& shape) override {
    StateReader::numbers(name, first, shape);
    for (std::size_t row = 0; row < shape.rows; ++row)
      for (std::size_t i = 0; i < shape.count; ++i)
        if (!is_possible(first[row * shape.stride + i], name))
          throw std::invalid_argument(std::string("the state's `") + name + "` has a number that no game leads to");
  }

 private:
  std::size_t experts_;
};

void set_state(PyPlayer& self, const nb::dict& state) {
  const Locked locked(*self.mutex);
  auto player = self.player->clone();
  GameReader reader(state, player->size());
  player->visit(reader);
  player->refresh();
  self.player = std::move(player);
}

template <double (*function)(double)>
Out<double> map(In<double> x) {
  std::vector<double> out(x.shape(0));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = function(x.data()[i]);
  return to_numpy(std::move(out));
}

}  // namespace

static const Announced announced("experts", [](nb::module_& m) {
  m.def("vector_exp2", &map<vector::exp2>, "y"_a, "2^y in the loops over experts, for |y| <= 1000.");
  m.def("vector_exp2_minus_exp2", &map<vector::exp2_minus_exp2>, "h"_a, "2^h - 2^-h there, for |h| <= 1.");
  m.def("vector_log1p", &map<vector::log1p>, "x"_a, "log(1 + x) in the loops over experts, for |x| <= 1/2.");

  nb::class_<PyRule>(m, "Rule", "How players of one kind learn.");
  nb::class_<PyPlayer>(m, "Player", "A distribution over experts, played by some rule.")
      .def(
          "__init__",
          [](PyPlayer* self, const PyRule& rule, double low, double high) {
            new (self) PyPlayer{rule.player(low, high)};
          },
          "rule"_a, "low"_a = 0.0, "high"_a = 1.0)
      .def("clone", &copied)
      .def("play", &play, "confidence"_a.none() = nb::none())
      .def("update", &update, "losses"_a, "confidence"_a.none() = nb::none())
      .def("run", &run, "losses"_a, "confidence"_a.none() = nb::none(), "keep"_a = false)
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
      .def_prop_ro("size", [](const PyPlayer& self) { return self.player->size(); })
      .def("prior", [](const PyPlayer& self) {
        const double* q = self.player->prior().data();
        return to_numpy(std::vector<double>(q, q + self.player->size()));
      });
});
