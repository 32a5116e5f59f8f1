"""The mixture that `aggregate` teaches: a new one, or one that was saved and goes on."""

from __future__ import annotations

import argparse
import inspect
from typing import Any

from afterwit import registry
from afterwit.cli.checkpoints import shown
from afterwit.cli.forecasts import known_experts
from afterwit.errors import UsageError, nearest, quoted_path
from afterwit.experts import Delayed, Mixture
from afterwit.experts.mixed_loss import MixedLoss
from afterwit.learning.words import setting_of, whole_where_wanted
from afterwit.storage import load


def rules() -> dict[str, type[Any]]:
    """The players that can be named: registered name -> class. They take experts, and any losses."""
    return {
        name: cls
        for name, cls in registry.classes().items()
        if "experts" in inspect.signature(cls).parameters and not getattr(cls, "binary", False)
    }


def mixture_of(args: argparse.Namespace) -> Mixture:
    """The new mixture that the options describe."""
    player = _player(args.rule or ("fixed-share" if args.gains else "ada-normal-hedge"))
    try:
        player = Delayed(player, args.delay) if args.delay else player
        return Mixture(player, "gain" if args.gains else args.loss or "squared", not args.no_gradient, args.range)
    except (TypeError, ValueError) as error:
        words = str(error).replace("forecast_range", "--range").replace("loss is", "--loss is")
        raise UsageError(words.replace("delay is", "--delay is")) from error


def _player(words: str) -> Any:
    name, _, rest = words.partition(":")
    known = rules()
    if name not in known:
        raise UsageError(f"`{name}` is not a rule; {nearest(name, list(known))}expected one of {', '.join(known)}")
    parameters = inspect.signature(known[name]).parameters
    settings = dict(setting_of(word, words) for word in rest.split(",")) if rest else {}
    for key in settings:
        if key not in parameters:
            raise UsageError(f"`{name}` has no setting `{key}`; it has {', '.join(parameters) or 'none'}")
    try:
        return known[name](**whole_where_wanted(settings, known[name]))
    except (TypeError, ValueError) as error:
        raise UsageError(f"`{words}`: {error}") from error


def continued_mixture(args: argparse.Namespace) -> Mixture:
    """The mixture of --from, which must be what the options given beside it say."""
    path = vars(args)["from"]
    model = load(path)
    if not isinstance(model, Mixture):
        raise UsageError(f"{quoted_path(path)} holds {model!r}, which is no mixture of forecasts; use `learn --from`")
    known_experts(model, path)
    late = model.player if isinstance(model.player, Delayed) else None
    player, delay = (model.player, 0) if late is None else (late.player, late.delay)
    gains, ranged = model.loss == "gain", model.forecast_range
    said: dict[str, tuple[bool, Any, Any]] = {
        "rule": (args.rule is None or repr(_player(args.rule)) == repr(player), args.rule, repr(player)),
        "gains": (not args.gains or gains, args.gains, gains),
        "loss": (args.loss is None or _loss(args.loss) == model.loss, args.loss, model.loss),
        "no-gradient": (not args.no_gradient or not model.gradient, args.no_gradient, not model.gradient),
        "range": (args.range is None or tuple(args.range) == ranged, args.range, ranged and [*ranged]),
        "delay": (args.delay is None or args.delay == delay, args.delay, delay),
    }
    for option, (agrees, given, own) in said.items():
        if not agrees:
            raise UsageError(
                f"--{option} is {_shown(given)}, and in {quoted_path(path)} it is {_shown(own)}; leave --{option} out "
                "to go on with that mixture, or --from to begin a new one"
            )
    return model


def _loss(words: str) -> str:
    try:
        return MixedLoss(words).name
    except ValueError as error:
        raise UsageError(f"--{error}") from error


def _shown(value: Any) -> str:
    return shown([f"{each:g}" for each in value] if isinstance(value, list) else value)
