"""What `afterwit aggregate` tells: as plain data, and as tables."""

from __future__ import annotations

import math
from typing import Any

from afterwit.cli.columns import aligned, column
from afterwit.errors import listed, printable
from afterwit.experts import Competitor, Mixture, MixtureHistory
from afterwit.streams.numbers import NumberTable


def _means(model: Mixture, total: float | None, rounds: float) -> dict[str, float | None]:
    """A total loss as the numbers that are shown: the mean, and what people know it as."""
    if total is None or not rounds:
        return {"mean_loss": None, **({"rmse": None} if model.loss == "squared" else {})}
    known = {"mean_loss": total / rounds}
    if model.loss == "squared":
        known["rmse"] = math.sqrt(max(total / rounds, 0.0))
    if model.loss == "gain":
        known["wealth"] = math.exp(min(-total, 709.0))
    return {**known}


def report_of(
    model: Mixture, history: MixtureHistory, found: list[Competitor], table: NumberTable, new: list[str]
) -> dict[str, Any]:
    """All that is told, as `--json` prints it; `history` has the rounds of the table with a target."""
    awake: Any = history.confidence
    rounds, names = int(awake.any(axis=1).sum()), history.names or ()
    weights = model.weights() if names else {}
    return {
        "rule": repr(model),
        "source": table.description,
        "loss": model.loss,
        "columns": len(table.columns),
        "unread": list(table.unread),
        "new": new,
        "rounds": len(history),
        "rounds_without_target": len(table.values) - len(history),
        "rounds_awake": rounds,
        **_means(model, float(history.loss.sum()), rounds),
        "competitors": [
            {
                "name": each.name,
                "what": each.what,
                **_means(model, each.loss, rounds),
                "regret": each.regret,
                "exact": each.exact,
                "reason": each.reason,
                "bound": None if each.bound is None else vars(each.bound),
            }
            for each in found
        ],
        "experts": [
            {
                "name": name,
                "rounds": int(count),
                **_means(model, float(total), count),
                "regret": float(regret),
                "weight": weights[name],
            }
            for name, count, total, regret in zip(names, awake.sum(axis=0), history.total, history.regret, strict=True)
        ],
    }


def show(report: dict[str, Any]) -> None:
    """Prints the competitors, then the experts."""
    gains = report["loss"] == "gain"
    who = "stock" if gains else "expert"
    rounds, columns = _many(report["rounds"], "round"), _many(report["columns"], who)
    all_of_them = "" if gains or report["unread"] else ", every column beside the target (--ignore leaves some out)"
    print(f"{report['rule']}\n{printable(report['source'])}: {rounds}, {columns}{all_of_them}")
    for each in _chosen(report, who):
        print(each)
    if report["rounds_without_target"]:
        without = _many(report["rounds_without_target"], "round")
        print(f"{without} more without a target: forecast, and nothing learned")
    if report["rounds_awake"] < report["rounds"]:
        nobody = report["rounds"] - report["rounds_awake"]
        count = "counts" if nobody == 1 else "count"
        print(f"{_many(nobody, 'round')} without anybody awake, which {count} for nothing")
    if not report["rounds_awake"]:
        return
    this = {"name": "this mixture", **{key: report.get(key) for key in ("mean_loss", "rmse", "wealth")}}
    competitors = [this, *report["competitors"]]
    print(
        "\n"
        + aligned(
            [
                column("", [each["name"] for each in competitors]),
                *_numbers(competitors, gains),
                _bounds(competitors),
                column("", [each.get("reason") or each.get("what") or "" for each in competitors]),
            ]
        )
    )
    bounds = [each["bound"] for each in report["competitors"] if each["bound"]]
    for reason in sorted({bound["reason"] for bound in bounds if bound["reason"]}):
        print(f"no bound on the regret: {reason}")
    every = sorted(report["experts"], key=lambda each: (-each["weight"], each["mean_loss"] or math.inf))
    sleepy = any(each["rounds"] < report["rounds"] for each in every)
    awake = [f"{each['rounds']:,}" if sleepy else "" for each in every]
    print(
        "\n"
        + aligned(
            [
                column(who, [printable(each["name"]) for each in every]),
                column("weight now", [f"{each['weight']:.4f}" for each in every], right=True),
                *_numbers(every, gains),
                column("rounds awake" if sleepy else "", awake, right=True),
            ]
        )
    )


def _chosen(report: dict[str, Any], who: str) -> list[str]:
    """Which columns are experts, where that is not clear: there were others, or a model knew some before."""
    told = [each["name"] for each in report["experts"]] if report["unread"] or report["new"] else []
    parts = (f"{who}s", told), ("new", report["new"]), ("not read", report["unread"])
    return [f"{what}: {listed(names)}" for what, names in parts if names]


def _numbers(rows: list[dict[str, Any]], gains: bool) -> list[list[str]]:
    """The columns of losses and regrets that they have."""
    columns = []
    if gains:
        columns.append(
            column("wealth", [f"{each['wealth']:,.4f}" if each.get("wealth") else "" for each in rows], right=True)
        )
    elif rows[0].get("rmse") is not None:
        columns.append(column("RMSE", [each["rmse"] for each in rows]))
    columns.append(column("mean loss", [each["mean_loss"] for each in rows]))
    return [*columns, column("regret to it", [each.get("regret") for each in rows])]


def _bounds(rows: list[dict[str, Any]]) -> list[str]:
    values = [each["bound"]["value"] if each.get("bound") else None for each in rows]
    return column("its bound" if any(value is not None for value in values) else "", values)


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
