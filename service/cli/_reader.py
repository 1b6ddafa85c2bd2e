"""Who asks on the command line: the owner of the machine, or with --groups a reader."""

import click

from es_mappings.access import OWNER, Reader

groups_option = click.option("--groups", help="Ask as a member of these groups, comma-separated; without it as the owner, who sees all.")


def reader_of(groups: str | None) -> Reader:
    """The reader that --groups names; "" is a reader in no group, who sees what is public."""
    if groups is None:
        return OWNER
    return Reader(groups=frozenset(group.strip() for group in groups.split(",") if group.strip()))
