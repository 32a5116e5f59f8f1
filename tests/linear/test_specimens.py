"""Every public linear learner has a specimen, and each is that of a public one."""

from __future__ import annotations

from typing import Any

import pytest

import afterwit.linear
from afterwit import registry
from afterwit.linear import OneVsAll
from afterwit.linear.linear import Linear
from tests.linear.rules import LOSSES
from tests.linear.specimen import Specimen, every

PUBLIC = [getattr(afterwit.linear, name) for name in afterwit.linear.__all__]
every_specimen = pytest.mark.parametrize("each", every().values(), ids=every())


def test_every_public_learner_has_a_specimen() -> None:
    assert {each.make for each in every().values()} == {cls for cls in PUBLIC if cls is not OneVsAll}
    assert all(issubclass(cls, Linear) for cls in PUBLIC if cls is not OneVsAll)


def test_names_of_typical_settings_and_theorems_are_used_once() -> None:
    for kind in ("typical", "theorems"):
        names: list[Any] = [name for each in every().values() for name in getattr(each, kind)]
        assert len(set(names)) == len(names)


@every_specimen
def test_a_specimen_is_whole(each: Specimen) -> None:
    """A file is named as the class is in files of models; every setting is tried; a theorem's check is seen to bite."""
    assert every()[registry.name_of(each.make()).replace("-", "_")] is each
    assert each.typical
    assert each.with_losses(LOSSES)
    assert each.formulas(LOSSES)
    assert each.theorems or each.bounded is None
    assert all({"sign", "memory"} <= set(theorem.bites) for theorem in each.theorems.values())
