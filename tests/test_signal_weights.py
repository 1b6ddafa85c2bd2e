"""Weights of ranking signals come from one setting; a slip in it is named before anything is searched."""

import pytest

from es_mappings.errors import SettingsError
from service.signals import read_weights


def test_no_setting_changes_no_weight() -> None:
    assert read_weights("") == {}


def test_weights_are_read_by_signal() -> None:
    assert read_weights(" vector=0, lexical=1.5 ") == {"vector": 0.0, "lexical": 1.5}


@pytest.mark.parametrize("setting", ["vectors=0", "vector", "vector=", "vector=-1", "vector=much", "vector=nan", "=2"])
def test_a_slip_is_named_with_the_signals_there_are(setting: str) -> None:
    with pytest.raises(SettingsError, match=r"SIGNAL_WEIGHTS.*lexical.*vector"):
        read_weights(setting)
