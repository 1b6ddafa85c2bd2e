"""Guards our three package names, which are plain words: another distribution that ships one of them silently overwrites ours.

(Measured: installing PyPI's `service` after ours replaced `service/__init__.py`, and `pip check` found nothing wrong.)
"""

from importlib.metadata import packages_distributions

from es_mappings.errors import SettingsError

DISTRIBUTION = "sectionary"
PACKAGES = ("es_mappings", "ingest", "service")


def package_clashes() -> dict[str, tuple[str, ...]]:
    """For each of our packages that other installed distributions ship as well, the names of those; {} when all is well."""
    owners = packages_distributions()
    others = {package: tuple(sorted({*owners.get(package, ())} - {DISTRIBUTION})) for package in PACKAGES}
    return {package: names for package, names in others.items() if names}


def refuse_clashes() -> None:
    """Raises SettingsError when a package of ours may have been overwritten."""
    clashes = package_clashes()
    if clashes:
        told = "; ".join(f"{package} by {', '.join(names)}" for package, names in clashes.items())
        raise SettingsError(
            f"packages of sectionary were taken by other distributions ({told}): uninstall those, then reinstall sectionary, "
            "best in a virtual environment of its own"
        )
