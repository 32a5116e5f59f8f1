"""What a model has learned, by name."""

from __future__ import annotations

from typing import Any

from afterwit.errors import printable
from afterwit.shown import html


def model_html(model: Any) -> str:
    """A model in a notebook: as it would be constructed, how its members stand, the largest weights and gains."""
    parts = [html.text(repr(model), "code")]
    undecided = getattr(getattr(model, "labels", None), "kind", None) == "auto"
    if undecided:
        return html.together(*parts, html.text("It has not met any label yet."))
    if hasattr(model, "standing"):
        parts.append(model.standing()._repr_html_())
    if hasattr(model, "pruning"):
        parts.append(model.pruning()._repr_html_())
    for heading, (found, _) in (("weight", weights_of(model)), ("gain", by_name(model, "gains"))):
        if found:
            parts.append(html.table([[f"{len(found):,} not 0", heading], *shown(largest(found, 10))]))
    return html.together(*parts)


def weights_of(model: Any) -> tuple[dict[str, Any], str | None]:
    """The weights of a model by name, of a player or mixture those of the next round; or none and the reason."""
    says = getattr(model, "play", None) or (getattr(model, "weights", None) if hasattr(model, "player") else None)
    if hasattr(model, "coef") or says is None:
        return by_name(model, "coef")
    try:
        weights = says()
    except ValueError as error:
        return {}, str(error)
    named = weights if isinstance(weights, dict) else dict(enumerate(weights.tolist()))
    return {str(name): weight for name, weight in named.items() if weight != 0.0}, None


def by_name(model: Any, method: str) -> tuple[dict[str, Any], str | None]:
    """What a method of the model gives for each feature, or nothing and the reason."""
    if not hasattr(model, method):
        return {}, f"`{type(model).__name__}` has none"
    try:
        return getattr(model, method)(), None
    except (TypeError, ValueError) as error:
        return {}, str(error)


def largest(found: dict[str, Any], most: int) -> list[tuple[str, Any]]:
    """The largest of them; of several classes, by the class in which each is."""
    return sorted(found.items(), key=lambda item: -_size(item[1]))[: max(most, 0)]


def shown(found: list[tuple[str, Any]]) -> list[list[str]]:
    """Names and values, as people read them.

    >>> shown([("price", 0.5), ("city", {"cheap": -2.0, "dear": 1.0})])
    [['price', '+0.5'], ['city', '-2 (cheap)']]
    """
    return [[printable(name), _shown(value)] for name, value in found]


def _size(weight: Any) -> float:
    return float(max(map(abs, weight.values())) if isinstance(weight, dict) else abs(weight))


def _shown(weight: Any) -> str:
    if not isinstance(weight, dict):
        return f"{weight:+.6g}"
    name = max(weight, key=lambda name: abs(weight[name]))
    return f"{weight[name]:+.6g} ({printable(str(name))})"
