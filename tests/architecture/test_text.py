"""The text speaks of the project alone: nothing unfinished, no place on somebody's disk, no package registry."""

import re
from collections.abc import Iterator
from pathlib import Path

from source_code import REPOSITORY

UNFINISHED = r"\b(TODO|FIXME|XXX)\b"
PATHS = r"""(?<![\w./])/(home|Users|root|work|tmp|opt|mnt|data)/"""
REGISTRIES = r"pypi\.|/simple\b|--(extra-)?index-url|artifactory"
HISTORY = r"\b[Ss]essions?\b"


def texts() -> Iterator[Path]:
    """Every text file that is published, this one excepted."""
    for folder in ("src", "tests", "docs", ".ci", "notebooks", "benchmarks"):
        yield from sorted(
            path for path in (REPOSITORY / folder).rglob("*") if path.suffix in (".py", ".md", ".urdf", "")
        )
    yield from sorted([*REPOSITORY.glob("*.md"), *REPOSITORY.glob("*.toml")])


def lines_with(pattern: str, *roots: str) -> list[str]:
    """The places that match, as `file:line: text`."""
    return [
        f"{path.relative_to(REPOSITORY)}:{number}: {line.strip()}"
        for path in texts()
        if path.is_file() and path != Path(__file__) and path.relative_to(REPOSITORY).parts[0] in (roots or path.parts)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(pattern, line)
    ]


def test_nothing_is_marked_as_unfinished():
    assert not (found := lines_with(UNFINISHED)), "\n".join(found)


def test_no_absolute_paths_and_no_registries():
    assert not (found := lines_with(f"{PATHS}|{REGISTRIES}")), "\n".join(found)


def test_the_library_does_not_tell_how_it_was_written():
    assert not (found := lines_with(HISTORY, "src", "docs")), "\n".join(found)
