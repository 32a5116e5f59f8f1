"""Arguments and errors of the command line. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

from afterwit.cli import catalogue
from afterwit.cli.arguments import given_back, unknown_option
from afterwit.cli.standard import Terminated, failure, heed_sigterm, open_closed, say, settle, undisturbed
from afterwit.errors import AfterwitError, UsageError

DESCRIPTION = """Online learning: one pass, no tuning, every row predicted before it is learned.

  afterwit learn a9a.svm --save m.afterwit     learn a stream and report how it went
  afterwit predict m.afterwit new.svm          predict rows with a model
  afterwit evaluate m.afterwit new.svm         report how well a model predicts rows, learning nothing
  afterwit compare a9a.svm auto perceptron     several learners on one stream
  afterwit aggregate forecasts.csv --target y  many forecasts as one, and what hindsight would have gained
  afterwit separate points.svm                 a hyperplane between two classes, and its margin
  afterwit reproduce                           tables and figures of the sources, run anew
  afterwit inspect m.afterwit                  what a model has learned"""


def _learners() -> str:
    return (
        "learners, with their settings after a colon as in adagrad:normalized=true; auto is the default, has nothing\n"
        "to choose, and learns by logistic or squared loss (with another --loss adagrad:normalized=true does):\n"
        f"{catalogue.learners()}\n\nlosses:\n{catalogue.losses('binary', 'real')}"
    )


def _rules() -> str:
    return (
        "rules, with their settings after a colon as in hedge:rate=0.1:\n"
        f"{catalogue.rules()}\n\nlosses:\n{catalogue.losses('real')}"
    )


OUTPUTS = """An output is a file, written whole or not at all, or a pipe or a device, written as it comes. - is standard
output, and the report goes to standard error then."""

#: Options that count something, and the least that each can be.
COUNTS = {
    "passes": 1,
    "limit": 1,
    "holdout": 2,
    "window": 1,
    "checkpoint": 1,
    "top": 0,
    "shifts": 0,
    "delay": 0,
    "rounds": 1,
}
MOST = 2**63 - 1
#: Options that say what a new model is, and what they are where they are not given.
MODEL: dict[str, Any] = {
    "learner": "auto",
    "task": None,
    "loss": None,
    "classes": None,
    "bits": 18,
    "seed": 0,
    "names": "hashed",
    "no_intercept": False,
    "interactions": [],
    "keep": [],
    "ignore": [],
    "text": [],
    "dates": [],
    "categorical": [],
}


class _Parser(argparse.ArgumentParser):
    def __init__(self, *, below: Callable[[], str] | None = None, **words: Any) -> None:
        super().__init__(**words)
        self._below = below  # what is below the options, found out when somebody wants to read it
        self._negative_number_matcher = re.compile(r"-\.?\d")  # -1e9 is a number, too

    def format_help(self) -> str:
        self.epilog = self._below() if self._below else None
        return super().format_help()

    def print_help(self, file: Any = None) -> None:
        print(self.format_help(), end="", file=file)  # argparse would not mind if nobody could read it

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        words = given_back(self, sys.argv[1:] if args is None else args)
        found, unknown = super().parse_known_args(words, namespace)
        if message := unknown_option(self, unknown):
            self.error(message)
        return found, unknown

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"afterwit: {message}\n{self.format_usage()}")


def _command(commands: argparse._SubParsersAction[_Parser], name: str, text: str, below: Callable[[], str]) -> _Parser:
    return commands.add_parser(
        name,
        help=text,
        description=text[0].upper() + text[1:] + ".",
        below=below,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _add_input(parser: _Parser, several: bool = True) -> None:
    more = "several files, or a pattern in quotes, are one stream" if several else "a pattern in quotes is one stream"
    parser.add_argument(
        "data",
        metavar="DATA",
        nargs="+" if several else None,
        help="svmlight, VW text, CSV, JSON lines (plain, gzip, zstd, bz2, xz), Parquet, or - for standard input; "
        + more,
    )
    _add_reading(parser)


def _add_reading(parser: _Parser) -> None:
    parser.add_argument(
        "--format",
        choices=("auto", "svmlight", "vw", "csv", "tsv", "json"),
        default="auto",
        help="the format of the text (default: what its name or its first lines tell)",
    )
    parser.add_argument("--target", metavar="COLUMN", help="CSV, JSON, Parquet: the column that has the label")
    parser.add_argument(
        "--weight", metavar="COLUMN", help="CSV, JSON, Parquet: the column of the importance of each row"
    )
    parser.add_argument(
        "--on-error", choices=("raise", "skip"), default="raise", help="stop at a bad line, or skip and count it"
    )


def _add_ids(parser: Any, text: str) -> None:
    parser.add_argument("--id", metavar="COLUMN", action="extend", nargs="+", default=[], help=text)


def _add_strict(parser: _Parser) -> None:
    parser.add_argument(
        "--strict", action="store_true", help="stop where columns are missing or new, instead of saying so"
    )


def _add_model(parser: _Parser) -> None:
    parser.add_argument("--cache", action="store_true", help="keep the parsed rows in DATA.afterwit-cache, or use them")
    parser.add_argument(
        "--task",
        choices=("binary", "classes", "numbers"),
        help="what the labels are, for auto (default: what the first of them tell)",
    )
    parser.add_argument("--loss", metavar="LOSS", help="loss to learn by (default: the learner's own)")
    parser.add_argument("--bits", type=int, help="2^BITS slots for hashed features (default: 18)")
    parser.add_argument("--seed", type=int, help="which hash (default: 0: index k has slot k)")
    parser.add_argument("--names", choices=("hashed", "exact"), help="exact keeps every name")
    parser.add_argument("--no-intercept", action="store_true", default=None, help="no constant feature")
    groups = parser.add_argument_group("features, by group: a namespace, or a column")
    groups.add_argument("--interactions", metavar="A*B", nargs="+", help="products of features of two or three groups")
    groups.add_argument("--keep", metavar="GROUP", nargs="+", help="look at these groups alone")
    groups.add_argument("--ignore", metavar="GROUP", nargs="+", help="do not look at these")
    groups.add_argument(
        "--text",
        metavar="COLUMN[:N]",
        nargs="+",
        help="split a column into words, and runs of up to N words",
    )
    groups.add_argument("--dates", metavar="COLUMN", nargs="+", help="text is a date, or date and time, as 2026-05-01")
    groups.add_argument("--categorical", metavar="COLUMN", nargs="+", help="numbers are words, such as zip=10001")
    _add_ids(groups, "learn nothing of this column: every row has another")
    parser.add_argument(
        "--classes",
        metavar="A,B,...",
        help="two names: the labels of a binary stream, the negative one first; more: one learner per class; "
        "`any`: classes as they come",
    )


def _add_confusion(parser: _Parser) -> None:
    parser.add_argument(
        "--confusion", action="store_true", default=None, help="report what was predicted of the rows of each class"
    )


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = _Parser(prog="afterwit", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    top.add_argument("--version", action="store_true", help="print the version and exit")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    learn = _command(
        commands,
        "learn",
        "learn from a stream in one pass and report the loss of predicting each row before learning it",
        lambda: (
            _learners()
            + f"\n\n{OUTPUTS}"
            + "\n\nexamples:\n  afterwit learn a9a.svm.gz --save a9a.afterwit\n"
            + "  afterwit learn clicks.csv.gz --target clicked\n"
            + "  afterwit learn events.jsonl --target clicked      (an object a line)\n"
            + "  afterwit learn 'part-*.svm.gz' --save parts.afterwit\n"
            + "  afterwit learn flights.csv --target late --id flight --dates departure --categorical zip\n"
            + "  afterwit learn letter.svm --task classes --confusion --plot letter.png\n"
            + "  afterwit learn loans.csv --target repaid --delay 5000   (a label is known 5,000 rows later)\n"
            + "  afterwit learn may.csv --from april.afterwit --save may.afterwit\n"
            + "  afterwit learn big.svm --save m.afterwit --checkpoint 1000000   (killed? again with --resume)"
        ),
    )
    _add_input(learn)
    learn.add_argument("--learner", metavar="LEARNER", help="see below (default: auto)")
    learn.add_argument("--from", metavar="MODEL", help="go on with a model that was saved, which stays what it is")
    _add_model(learn)
    learn.add_argument("--passes", type=int, default=1, help="passes over the data; the report is of the first")
    learn.add_argument("--limit", type=int, metavar="N", help="stop each pass after N rows")
    learn.add_argument("--holdout", type=int, metavar="K", help="never learn every K-th row, and report these apart")
    learn.add_argument(
        "--delay", type=int, metavar="N", help="labels come late: learn a row N rows after its prediction"
    )
    learn.add_argument("--window", type=int, metavar="N", help="report the last N rows too")
    _add_confusion(learn)
    learn.add_argument(
        "--hindsight", action="store_true", help="read the data again for the best fixed linear predictor: the regret"
    )
    learn.add_argument("--save", metavar="MODEL", help="write the model to this file")
    learn.add_argument(
        "--predictions", metavar="FILE", help="write the prediction made before each row, as `predict` does"
    )
    learn.add_argument(
        "--checkpoint", type=int, metavar="N", help="every N rows, write MODEL.checkpoint; outputs must be files"
    )
    learn.add_argument(
        "--resume",
        action="store_true",
        help="go on from MODEL.checkpoint by the same command; a run that has ended is left as it is",
    )
    learn.add_argument(
        "--plot", metavar="PNG", help="draw the error over the rows, and of auto its members' weights, to this file"
    )
    learn.add_argument("--json", action="store_true", help="print the report as JSON")

    predict = _command(
        commands,
        "predict",
        "predict the rows of a stream with a model, learning nothing; one line per row",
        lambda: (
            "A line is the raw margin or value, or the name of the class: as a JSON string, if it has more than one\n"
            "line or begins with a quote. Where more is asked for, it is CSV with a header. With --json, a line is an\n"
            "object.\n\n"
            "examples:\n  afterwit predict a9a.afterwit a9a.t.svm.gz > margins.txt\n"
            "  afterwit predict clicks.afterwit new.csv --id click --label --probability > clicks.csv\n"
            "  afterwit predict spam.afterwit mail.vw --threshold 0.9"
        ),
    )
    predict.add_argument("model", metavar="MODEL", help="a model that `learn --save` wrote")
    _add_input(predict)
    _add_strict(predict)
    predict.add_argument("--label", action="store_true", help="the label, by its name")
    predict.add_argument(
        "--probability", action="store_true", help="the probability of the positive label, or of each class"
    )
    predict.add_argument(
        "--threshold", type=float, metavar="P", help="the label is the positive one from this probability on"
    )
    _add_ids(predict, "write this column beside what is predicted, and learn nothing of it; `tag` is that of VW text")
    predict.add_argument(
        "--predictions", metavar="FILE", help="write here, whole or not at all; a pipe or - as they come"
    )
    predict.add_argument("--json", action="store_true", help="one JSON object per row: raw, label, probability")

    evaluate = _command(
        commands,
        "evaluate",
        "predict the rows of a stream with a model, learning nothing, and report how well",
        lambda: (
            "examples:\n  afterwit evaluate a9a.afterwit a9a.t.svm.gz\n"
            "  afterwit evaluate clicks.afterwit june.csv --strict   (an error where columns are missing or new)"
        ),
    )
    evaluate.add_argument("model", metavar="MODEL", help="a model that `learn --save` wrote")
    _add_input(evaluate)
    _add_strict(evaluate)
    _add_confusion(evaluate)
    evaluate.add_argument("--json", action="store_true", help="print the report as JSON")

    compare = _command(
        commands,
        "compare",
        "several learners on one stream, read once",
        lambda: _learners() + "\n\nexample:\n  afterwit compare a9a.svm.gz auto adagrad:normalized=true perceptron",
    )
    _add_input(compare, several=False)
    compare.add_argument(
        "learners", metavar="LEARNER", nargs="*", help="see below (default: auto and adagrad:normalized=true)"
    )
    _add_model(compare)
    compare.add_argument("--json", action="store_true", help="print the reports as JSON")

    aggregate = _command(
        commands,
        "aggregate",
        "mix the forecasts of many into one, round by round, and compare it with what hindsight would have done",
        lambda: (
            _rules()
            + "\n\nA first column of words, such as dates, names the rounds. An empty cell is an expert asleep; where\n"
            + "the target is empty, as tomorrow's is, the round is forecast and nothing is learned."
            + f"\n\n{OUTPUTS}"
            + "\n\nexamples:\n  afterwit aggregate forecasts.csv --target y\n"
            + "  afterwit aggregate forecasts.csv.gz --target y --rule normal-hedge-dt --plot weights.png\n"
            + "  afterwit aggregate forecasts.csv --target y --range 0 100    (the range gives a bound on the regret)\n"
            + "  afterwit aggregate forecasts.csv --target y --ignore month temperature --save m.afterwit\n"
            + "  afterwit aggregate forecasts.csv --target y --experts arima naive\n"
            + "  afterwit aggregate may.csv --target y --from m.afterwit --save m.afterwit     (goes on with it)\n"
            + "  afterwit predict m.afterwit tomorrow.csv\n"
            + "  afterwit aggregate hours.csv --target y --delay 23      (a day's hours are forecast at midnight)\n"
            + "  afterwit aggregate prices.csv --gains"
        ),
    )
    aggregate.add_argument(
        "data", metavar="FORECASTS", help="CSV with a column per expert (plain, gzip, zstd, bz2, xz), or -"
    )
    aggregate.add_argument("--target", metavar="COLUMN", help="the column that has what came")
    aggregate.add_argument("--experts", metavar="COLUMN", nargs="+", default=[], help="these columns are the experts")
    aggregate.add_argument(
        "--ignore", metavar="COLUMN", nargs="+", default=[], help="these are not (default: every other column is one)"
    )
    aggregate.add_argument(
        "--from", metavar="MODEL", help="go on with a mixture that was saved; columns that it does not know are new"
    )
    aggregate.add_argument(
        "--rule", metavar="RULE", help="see below (default: ada-normal-hedge, and with --gains fixed-share)"
    )
    aggregate.add_argument(
        "--delay",
        type=int,
        metavar="H",
        help="a target is known H rounds late; where N rounds are forecast at once, H is N - 1",
    )
    aggregate.add_argument("--loss", metavar="LOSS", help="the loss of a forecast (default: squared); see below")
    aggregate.add_argument(
        "--no-gradient",
        action="store_true",
        help="compete with the best expert, by the losses, and not with the best combination, by their linearisation",
    )
    aggregate.add_argument(
        "--range", type=float, nargs=2, metavar=("LOW", "HIGH"), help="where forecasts and target can lie"
    )
    aggregate.add_argument(
        "--gains", action="store_true", help="the columns are price relatives of stocks, the loss is -ln(w . x)"
    )
    aggregate.add_argument(
        "--shifts",
        type=int,
        default=5,
        metavar="K",
        help="compare with the best expert of up to K changes (default: 5)",
    )
    aggregate.add_argument("--predictions", metavar="FILE", help="write the forecast of each round, one a line")
    aggregate.add_argument("--save", metavar="MODEL", help="keep the mixture, for --from, `predict` and Python")
    aggregate.add_argument("--plot", metavar="PNG", help="draw weights, losses, regret and residuals to this file")
    aggregate.add_argument("--json", action="store_true", help="print it as JSON")

    separate = _command(
        commands,
        "separate",
        "look for a hyperplane between two classes of points, and say its margin or which margin there is not",
        lambda: (
            "The hyperplane goes through the origin, unless --intercept lets it go anywhere. All points are held in "
            "memory.\n\n"
            "examples:\n  afterwit separate points.svm --intercept\n"
            "  afterwit separate points.csv --target side --classes left,right --plot points.png\n"
            "  afterwit separate points.svm --algorithm perceptron --rounds 100000000"
        ),
    )
    _add_input(separate)
    separate.add_argument(
        "--classes", metavar="A,B", help="the names of the two labels, the negative one first (default: -1,+1 or 0,1)"
    )
    separate.add_argument(
        "--algorithm", choices=("optimistic", "perceptron"), default="optimistic", help="(default: optimistic)"
    )
    separate.add_argument(
        "--rounds",
        type=int,
        metavar="N",
        help="give up after N rounds, or mistakes (default: what finds any margin of 1/1000 of the longest point)",
    )
    separate.add_argument("--intercept", action="store_true", help="give every point one more feature, which is 1")
    separate.add_argument("--plot", metavar="PNG", help="draw the points, or how far they are, to this file")
    separate.add_argument("--json", action="store_true", help="print it as JSON")

    reproduce = _command(
        commands,
        "reproduce",
        "run a table or a figure of the sources anew; without a name, list those that there are",
        lambda: (
            "Data sets are looked for in the folder that the environment variable AFTERWIT_DATA names.\n\n"
            "examples:\n  afterwit reproduce\n  afterwit reproduce optimistic-perceptron --plot figure-1.png"
        ),
    )
    reproduce.add_argument("name", metavar="NAME", nargs="?", help="which one")
    reproduce.add_argument("--plot", metavar="PNG", help="draw its figure to this file")
    reproduce.add_argument("--json", action="store_true", help="print its tables as JSON")

    inspect = _command(
        commands,
        "inspect",
        "show what a model is and its largest weights",
        lambda: (
            "examples:\n  afterwit inspect a9a.afterwit --top 30\n"
            "  afterwit inspect clicks.afterwit --collisions clicks.csv --target clicked"
        ),
    )
    inspect.add_argument("model", metavar="MODEL", help="a model that `learn --save` or `aggregate --save` wrote")
    inspect.add_argument("--top", type=int, default=20, help="how many weights (default: 20)")
    inspect.add_argument(
        "--collisions",
        metavar="DATA",
        nargs="+",
        dest="data",
        help="count the features of DATA that share a slot; takes memory for each of them",
    )
    _add_reading(inspect)
    _add_ids(inspect, "count nothing of this column")
    inspect.add_argument("--json", action="store_true", help="print it as JSON")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; 0 is fine, 1 means the work failed, 2 wrong usage."""
    open_closed()
    heed_sigterm()
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except UsageError as error:
        say(error)
        code = 2
    except (AfterwitError, MemoryError) as error:
        say(str(error) or "out of memory")
        code = 1
    except KeyboardInterrupt as stop:
        say("stopped")
        code = 143 if isinstance(stop, Terminated) else 130
    except BrokenPipeError:
        code = 1  # whoever read the output has left
    except OSError as error:
        say(failure(error))
        code = 1
    settle()
    return code


def options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What the words of a command say; `given` are the options among them that say what a model is."""
    args = parser().parse_args(arguments)
    if "bits" in args:
        args.given = [name for name in MODEL if getattr(args, name, None) is not None]
        for name, value in MODEL.items():
            if name in args and name not in args.given:
                setattr(args, name, value)
    return args


def _run(arguments: Sequence[str] | None) -> int:
    try:
        args = options(arguments)
    except SystemExit as left:  # after --help, too
        return int(left.code or 0)
    if args.version:
        from importlib.metadata import version

        print(f"afterwit {version('afterwit')}")
        return 0
    if args.command is None:
        parser().print_help()
        return 2
    for name, least in COUNTS.items():
        value = getattr(args, name, None)
        if value is not None and not least <= value <= MOST:
            raise UsageError(f"--{name} is {value}, expected {least} {'or more' if value < least else f'to {MOST}'}")
    with undisturbed():
        command = importlib.import_module(f"afterwit.cli.{args.command}")
    code: int = command.run(args)
    return code
