"""How a part tells its progress, without knowing what shows it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

Progress = Callable[[Iterable[Any], str], Iterable[Any]]
"""Passes an iterable through; the text says what is going on."""


def silent(steps: Iterable[Any], text: str) -> Iterator[Any]:
    """Progress that nobody sees."""
    yield from steps
