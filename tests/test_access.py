"""Access rules: an AND of ORs, one key each."""

from hypothesis import given
from hypothesis import strategies as st

from es_mappings.access import OWNER, PUBLIC_RULE, AccessRegistry, Reader, conjunction, key_of, rule_for
from es_mappings.index import Index

GROUPS = st.frozensets(st.sampled_from("abcd"), min_size=1)
RULES = st.frozensets(GROUPS, max_size=3)


@given(st.lists(RULES, max_size=4), st.frozensets(st.sampled_from("abcd")))
def test_a_conjunction_is_met_exactly_by_those_who_meet_every_part(rules: list[frozenset[frozenset[str]]], groups: frozenset[str]) -> None:
    reader = Reader(groups=groups)
    assert reader.meets(conjunction(rules)) == all(reader.meets(rule) for rule in rules)


@given(RULES, RULES)
def test_different_rules_have_different_keys_and_equal_ones_the_same(
    one: frozenset[frozenset[str]], other: frozenset[frozenset[str]]
) -> None:
    assert (key_of(one) == key_of(other)) == (one == other)


def test_a_rule_without_groups_is_public_and_everybody_meets_it() -> None:
    assert rule_for(["", " "]) == PUBLIC_RULE
    assert key_of(PUBLIC_RULE) == "public"
    assert Reader().meets(PUBLIC_RULE)


def test_the_owner_meets_every_rule_and_needs_no_filter(index: Index) -> None:
    registry = AccessRegistry(index)
    registry.register(rule_for(["hr"]))
    assert OWNER.meets(rule_for(["hr"]))
    assert registry.keys_for(OWNER) is None


def test_another_process_learns_of_a_new_rule_and_a_stranger_meets_only_public(index: Index) -> None:
    key = AccessRegistry(index).register(rule_for(["hr", "board"]))
    elsewhere = AccessRegistry(index)
    assert elsewhere.keys_for(Reader(groups=frozenset({"board"}))) == ("public", key)
    assert elsewhere.keys_for(Reader(groups=frozenset({"sales"}))) == ("public",)
    assert not elsewhere.allows(Reader(groups=frozenset({"board"})), "r-unknown")


def test_registering_a_rule_twice_or_at_once_is_harmless(index: Index) -> None:
    first, second = AccessRegistry(index), AccessRegistry(index)
    assert first.register(rule_for(["x"])) == second.register(rule_for(["x"])) == first.register(rule_for(["x"]))
