"""What argparse does not do: DATA behind an option of several values, and which option may have been meant."""

from __future__ import annotations

import argparse
import glob
import os
from collections.abc import Sequence

from afterwit.errors import nearest, quoted


def given_back(parser: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """The words with the files that an option of several values has taken behind all others, where they are missing.

    In `--ignore carrier flights.csv` the first value is the option's, and the first file behind it is DATA.
    """
    wanted = [action for action in parser._get_positional_actions() if action.nargs in (None, "+")]
    if any(action.nargs == argparse.PARSER for action in parser._get_positional_actions()) or "--" in words:
        return list(words)
    taken, plain, at = list[tuple[int, int]](), 0, 0
    while at < len(words):
        at += 1
        if not _is_option(words[at - 1]):
            plain += 1
            continue
        most = _most_values(parser, words[at - 1])
        first = at
        while at < len(words) and at - first < most and not _is_option(words[at]):
            at += 1
        taken += [(first, at)] if most > len(words) else []
    if plain >= len(wanted):
        return list(words)
    for first, end in taken:
        for cut in range(first + 1, end):
            if _is_data(words[cut]):
                return [*words[:cut], *words[end:], "--", *words[cut:end]]
    if taken:
        first, end = taken[-1]
        missing = wanted[plain].metavar
        parser.error(
            f"there is no {missing}: {quoted(words[first - 1])} took all words up to {quoted(words[end - 1])}, and "
            f"none of them is a file; write {missing} before it"
        )
    return list(words)


def unknown_option(parser: argparse.ArgumentParser, words: Sequence[str]) -> str | None:
    """The sentence for the first of these words that looks like an option."""
    for word in words:
        if _is_option(word):
            name = word.partition("=")[0]
            advice = nearest(name, list(parser._option_string_actions)).rstrip()
            return f"there is no option {quoted(name)}; {advice or 'see ' + parser.prog + ' --help'}"
    return None


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-" and not word[1:2].isdigit() and not word[1:3].startswith(".")


def _most_values(parser: argparse.ArgumentParser, word: str) -> int:
    """How many values behind a word are an option's at most."""
    known = parser._option_string_actions
    name = word.partition("=")[0]
    alike = [known[name]] if name in known else [known[option] for option in known if option.startswith(name)]
    if not alike or "=" in word:
        return 0
    nargs = alike[0].nargs
    return nargs if isinstance(nargs, int) else 1 if nargs is None else 1 << 30


def _is_data(word: str) -> bool:
    if glob.has_magic(word) and not os.path.exists(word):
        return bool(glob.glob(word))
    return word == "-" or (os.path.exists(word) and not os.path.isdir(word))
