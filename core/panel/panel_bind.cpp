#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "experts/player_bind.hpp"
#include "learners/model_bind.hpp"
#include "losses/loss_bind.hpp"
#include "panel/mixing.hpp"
#include "panel/panel.hpp"
#include "panel/sharing.hpp"
#include "panel/stacking.hpp"
#include "python/announced.hpp"
#include "python/arrays.hpp"
#include "python/state.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace afterwit;

namespace {

// A member is a rule with its loss, or None: a guest.
PanelPlan::Member member_of(nb::handle rule, const PyLoss& loss, bool open, std::ptrdiff_t offset) {
  PanelPlan::Member member;
  member.open = open;
  member.offset = offset;
  member.loss = loss.any;
  if (rule.is_none()) return member;
  if (nb::isinstance<DenseRule>(rule))
    member.dense = nb::cast<std::shared_ptr<DenseRule>>(rule);
  else if (nb::isinstance<PanelRule>(rule))
    member.panel = nb::cast<const PanelRule&>(rule).plan();
  else if (!(member.linear = nb::cast<const LearningRule&>(rule).pooled(*loss.any)))
    member.own = nb::cast<std::shared_ptr<LearningRule>>(rule);
  return member;
}

PanelRule panel_rule(const nb::list& rules, const nb::list& losses, const std::vector<bool>& open,
                     const std::vector<std::ptrdiff_t>& offsets,
                     const std::vector<std::shared_ptr<Combiner>>& combiners, const PyRule& last, bool numbers) {
  const std::size_t n = rules.size();
  if (losses.size() != n || open.size() != n || offsets.size() != n || n == 0 || combiners.empty())
    throw std::invalid_argument("a panel needs members with what belongs to each, and combiners");
  auto plan = std::make_shared<PanelPlan>();
  for (std::size_t i = 0; i < n; ++i)
    plan->members.push_back(member_of(rules[i], nb::cast<const PyLoss&>(losses[i]), open[i], offsets[i]));
  Council::Combiners all;
  for (const auto& each : combiners) all.push_back(each->copy());
  plan->council =
      std::make_shared<Council>(std::move(all), std::make_unique<Mixing>(Weigher(last.player(0.0, 1.0)), false));
  plan->numbers = numbers;
  return PanelRule(std::move(plan));
}

AnyPanel& panel_of(PyModel& model) {
  auto* found = dynamic_cast<AnyPanel*>(&model.model.learners());
  if (found == nullptr) throw std::invalid_argument("the model is not a panel");
  return *found;
}

// What the k-th member holds, or the model itself if it is no panel: its numbers, and the slots of the columns with
// what the splits of its trees have gained there.
nb::tuple holdings(PyModel& model, std::size_t k) {
  const Locked locked(*model.mutex);
  Learners& learners = model.model.learners();
  const auto* panel = dynamic_cast<const AnyPanel*>(&learners);
  const auto* dense = dynamic_cast<const Dense*>(&learners);
  if (panel == nullptr && dense == nullptr) throw std::invalid_argument("the model has no columns");
  const Columns& columns = panel ? panel->columns() : dense->columns();
  Holdings held = panel ? panel->member_holdings(k) : dense->holdings();
  nb::dict numbers;
  for (const auto& [name, value] : held.numbers) numbers[name] = static_cast<std::int64_t>(value);
  held.gains.resize(columns.size());
  return nb::make_tuple(numbers, to_numpy(std::vector<std::uint32_t>(columns.slots())),
                        to_numpy(std::move(held.gains)));
}

Out<double> copied(const std::vector<double>& values) { return to_numpy(std::vector<double>(values)); }

// The state of a player, and its weights if everybody is awake.
nb::dict player_of(const Weigher& weigher, std::size_t n) {
  StateWriter state;
  weigher.player().visit(state);
  nb::dict out = state.written();
  std::vector<double> weights(n);
  weigher.player().play(nullptr, weights.data());
  out["weights"] = to_numpy(std::move(weights));
  out["unit"] = weigher.unit();
  return out;
}

nb::dict shown(const PanelView& view) {
  nb::dict out;
  const std::vector<Score> scores = view.scores->all();
  const std::size_t members = view.asleep->size(), combiners = view.players.size() - 1;
  std::vector<double> flat;
  for (const Score& each : scores) flat.insert(flat.end(), {each.weight, each.loss, each.square, each.errors});
  out["scores"] = to_numpy(std::move(flat), scores.size(), 4);
  out["asleep"] = copied(*view.asleep);
  out["said"] = copied(*view.said);
  out["combined"] = copied(*view.combined);
  nb::list all;
  for (std::size_t i = 0; i < combiners; ++i)
    all.append(view.players[i] ? player_of(*view.players[i], members) : nb::dict());
  out["combiners"] = all;
  out["last"] = player_of(*view.players.back(), combiners);
  out["times"] = copied(view.history->times());
  out["history"] =
      to_numpy(std::vector<double>(view.history->weights()), view.history->times().size(), combiners + members);
  nb::list inner;
  for (const PanelView& each : view.inner) inner.append(shown(each));
  out["inner"] = inner;
  return out;
}

}  // namespace

static const Announced announced("panel", [](nb::module_& m) {
  nb::class_<Combiner>(m, "Combiner", "How one prediction is made out of many.");
  m.def(
      "mixing",
      [](const PyRule& rule, bool own) -> std::shared_ptr<Combiner> {
        return std::make_shared<Mixing>(Weigher(rule.player(0.0, 1.0)), own);
      },
      "rule"_a, "own"_a);
  m.def("sharing", []() -> std::shared_ptr<Combiner> { return std::make_shared<Sharing>(); });
  m.def(
      "stacking",
      [](double penalty, double walk, bool deep) -> std::shared_ptr<Combiner> {
        return std::make_shared<Stacking>(penalty, walk, deep);
      },
      "penalty"_a, "walk"_a, "deep"_a);
  nb::class_<PanelRule, LearningRule>(m, "PanelRule");
  m.def("panel_rule", &panel_rule, "members"_a, "losses"_a, "open"_a, "offsets"_a, "combiners"_a, "last"_a,
        "numbers"_a);
  m.def(
      "pools", [](const LearningRule& rule, const PyLoss& loss) { return rule.pooled(*loss.any) != nullptr; }, "rule"_a,
      "loss"_a, "Whether a rule has a form that shares its scales with others.");
  m.def(
      "tell_guests",
      [](PyModel& model, const std::vector<double>& predictions) {
        const Locked locked(*model.mutex);
        panel_of(model).tell(predictions);
      },
      "model"_a, "predictions"_a);
  m.def(
      "panel_view",
      [](PyModel& model) {
        const Locked locked(*model.mutex);
        return shown(panel_of(model).view());
      },
      "model"_a, "What a panel's members have lost, who sleeps, and the weights of its players.");
  m.def("holdings", &holdings, "model"_a, "member"_a = 0,
        "What a learner over columns keeps, or a member of a panel: numbers by name; slots, and the gains of trees "
        "there.");
  m.def(
      "member_weights",
      [](PyModel& model, std::size_t k) {
        const Locked locked(*model.mutex);
        const AnyPanel& panel = panel_of(model);
        std::vector<std::uint32_t> slots;
        std::vector<double> weights;
        for (std::size_t slot = 0; slot < panel.slots(); ++slot) {
          const double weight = panel.touched(slot) ? panel.member_weight(slot, k) : 0.0;
          if (weight != 0.0) slots.push_back(static_cast<std::uint32_t>(slot)), weights.push_back(weight);
        }
        return nb::make_tuple(to_numpy(std::move(slots)), to_numpy(std::move(weights)));
      },
      "model"_a, "member"_a, "The slots in which a member is not 0, ascending, and its weights there.");
});
