"""Who may read what: a rule is an AND of ORs over groups, each rule has one key, a reader's filter is one list of keys.

A document names the groups of which a reader needs one; what was made from several sources needs every one of their rules.
The key of a rule is a hash of it, so a key never changes its meaning; `public` is the empty rule.
"""

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from es_mappings.errors import RevisionConflict
from es_mappings.index import Index
from es_mappings.records import PUBLIC
from es_mappings.sections import joined_hash

Rule = frozenset[frozenset[str]]
PUBLIC_RULE: Rule = frozenset()
REREAD_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who asks: the owner, who sees all, or a member of some groups."""

    owner: bool = False
    groups: frozenset[str] = frozenset()

    def meets(self, rule: Rule) -> bool:
        """Whether this reader may see what the rule guards."""
        return self.owner or all(alternatives & self.groups for alternatives in rule)


OWNER = Reader(owner=True)


def rule_for(groups: Iterable[str]) -> Rule:
    """The rule of a document that members of any of these groups may read; no group means public."""
    named = frozenset(group.strip() for group in groups if group.strip())
    return frozenset({named}) if named else PUBLIC_RULE


def conjunction(rules: Iterable[Rule]) -> Rule:
    """The rule that needs every one of these; an alternative list that another one implies is left out."""
    every = frozenset().union(*rules)
    return frozenset(wide for wide in every if not any(narrow < wide for narrow in every))


def key_of(rule: Rule) -> str:
    """The key of a rule: `public`, or `r` and 24 hex digits."""
    if not rule:
        return PUBLIC
    parts = sorted("\0".join(sorted(alternatives)) for alternatives in rule)
    return f"r{joined_hash(*parts)[:24]}"


class AccessRegistry:
    """The rules in use, stored in the `rules` index. Keys are immutable, so only new ones are ever missing from the cache."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._rules: dict[str, Rule] = {PUBLIC: PUBLIC_RULE}
        self._read_at = float("-inf")

    def register(self, rule: Rule) -> str:
        """Store a rule if it is new; returns its key."""
        key = key_of(rule)
        if key not in self._rules and self._index.get(self._index.rules, key) is None:
            source = {"key": key, "all_of": {"rules": sorted(sorted(alternatives) for alternatives in rule)}}
            with suppress(RevisionConflict):  # another process stored the same rule first
                self._index.put(self._index.rules, key, source, expect=None, refresh=True)
        self._rules[key] = rule
        return key

    def rule(self, key: str) -> Rule | None:
        """The rule of a key, or None when nobody registered it (then nobody but the owner may read)."""
        if key not in self._rules:
            self._reread()
        return self._rules.get(key)

    def keys_for(self, reader: Reader) -> tuple[str, ...] | None:
        """The keys whose rules the reader meets, for one `terms` filter; None for the owner, who needs no filter."""
        if reader.owner:
            return None
        if time.monotonic() - self._read_at > REREAD_SECONDS:
            self._reread()
        return tuple(sorted(key for key, rule in self._rules.items() if reader.meets(rule)))

    def allows(self, reader: Reader, key: str) -> bool:
        """Whether the reader meets the rule of this key."""
        if reader.owner:
            return True
        rule = self.rule(key)
        return rule is not None and reader.meets(rule)

    def _reread(self) -> None:
        self._read_at = time.monotonic()
        if not self._index.exists(self._index.rules):
            return
        for hit in self._index.scan(self._index.rules, {"match_all": {}}):
            all_of = hit["_source"]["all_of"]["rules"]
            self._rules[hit["_id"]] = frozenset(frozenset(alternatives) for alternatives in all_of)
