"""XML with a sense of place: safe parsing, and elements whose typed look-ups fail with file, line and owner."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from jaxtyping import Float

from jaxdyn._errors import MissingDependencyError, ModelDescriptionError

from ._model import description_error

TEXT_SOURCE = "<text>"

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)  # narrower than float(): no nan, 1_000, ...
_INFINITY = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"\A\s*<\?xml\s[^>]*\?>")


@dataclass(frozen=True)
class Tag:
    """One XML element, with the file it is from and the link or joint it belongs to.

    Attributes:
        element: The lxml element.
        source: File name, or `"<text>"`.
        owner: Such as ``link `base` ``; empty outside links and joints.
    """

    element: Any
    source: str
    owner: str = ""

    @property
    def name(self) -> str:
        """Tag name; a prefix is kept, a default namespace is not: `link`, `drake:acrobot`."""
        local = self.element.tag.rpartition("}")[2]
        return f"{self.element.prefix}:{local}" if self.element.prefix else local

    @property
    def line(self) -> int | None:
        """Line in the file."""
        return self.element.sourceline

    @property
    def attributes(self) -> dict[str, str]:
        """All attributes; a declared prefix is written out, as `{namespace}name`."""
        return dict(self.element.attrib)

    def owned_by(self, owner: str) -> "Tag":
        """The same element, named in errors as part of `owner`."""
        return replace(self, owner=owner)

    def error(self, problem: str, remedy: str) -> ModelDescriptionError:
        """The error to raise about this element."""
        return description_error(self.source, self.line, self.owner, problem, remedy)

    def descendants(self) -> Iterator["Tag"]:
        """This element and all elements below it, in the order of the file."""
        return (replace(self, element=element) for element in self.element.iter("*"))

    def children(self, name: str | None = None) -> list["Tag"]:
        """The direct children (comments and processing instructions are none), or those with a given name."""
        tags = [replace(self, element=element) for element in self.element.iterchildren("*")]
        return [tag for tag in tags if name is None or tag.name == name]

    def child(self, name: str) -> "Tag | None":
        """The only child of this name, or None."""
        found = self.children(name)
        if len(found) > 1:
            lines = " and ".join(str(tag.line) for tag in found)
            raise self.error(
                f"expected one `<{name}>` in `<{self.name}>`, got {len(found)} (lines {lines})", "Keep one"
            )
        return found[0] if found else None

    def required_child(self, name: str) -> "Tag":
        """The only child of this name."""
        found = self.child(name)
        if found is None:
            raise self.error(f"`<{self.name}>` has no `<{name}>`", f"Add a `<{name}>` tag")
        return found

    def text(self, attribute: str) -> str:
        """A required attribute that is not empty."""
        value = self.element.get(attribute)
        if not value:
            raise self.error(f"`<{self.name}>` has no `{attribute}`", f'Write `<{self.name} {attribute}="…">`')
        return value

    def numbers(self, attribute: str, count: int, default: tuple[float, ...] | None = None) -> Float[np.ndarray, " n"]:
        """A list of finite numbers; required unless there is a default."""
        if default is not None and attribute not in self.element.attrib:
            return np.array(default, dtype=np.float64)
        words = self.text(attribute).split()
        values = [float(word) for word in words if _NUMBER.fullmatch(word)]
        if not len(values) == len(words) == count or not np.all(np.isfinite(values)):
            raise self.error(
                f"expected {count} finite number{'s' if count > 1 else ''} in `{self.name}@{attribute}`, "
                f"got `{self.element.get(attribute)}`",
                "Write numbers with a decimal point, separated by spaces, such as `0.1 0 -2e-3`",
            )
        return np.array(values, dtype=np.float64)

    def number(self, attribute: str, default: float | None = None) -> float:
        """One finite number; required unless there is a default."""
        return float(self.numbers(attribute, 1, None if default is None else (default,))[0])

    def bound(self, attribute: str) -> float | None:
        """One number that may be written `inf` or `-inf`; None where the attribute is missing."""
        value = self.element.get(attribute)
        if value is None:
            return None
        return float(value) if _INFINITY.fullmatch(value.strip()) else self.number(attribute)


def parse_xml(path_or_text: str | os.PathLike[str]) -> Tag:
    """Root element of a file, or of XML text (a string whose first visible character is `<`).

    Entities, external documents and the network are never followed.

    Args:
        path_or_text: Path of a file, or the XML text itself.

    Returns:
        The root element.

    Raises:
        MissingDependencyError: lxml is not installed.
        ModelDescriptionError: The file cannot be read, is not well-formed XML or declares entities.
    """
    etree = _import_lxml()
    source, content = _load(path_or_text)
    # `recover` because robot files use prefixes such as `drake:` that they never declare; every other error is raised.
    parser = etree.XMLParser(
        encoding="utf-8" if source == TEXT_SOURCE else None,
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
    )
    root: Any = None
    with suppress(etree.XMLSyntaxError):  # the error log says why
        root = etree.fromstring(content, parser)
    for error in parser.error_log:
        if error.level_name != "WARNING" and error.domain_name != "NAMESPACE":
            problem = f"not well-formed XML: {error.message.rstrip('.')}"
            raise description_error(source, error.line, "", problem, "Repair the file, it must be one XML document")
    dtd = root.getroottree().docinfo.internalDTD
    if (dtd is not None and any(dtd.iterentities())) or any(True for _ in root.iter(etree.Entity)):
        raise description_error(source, None, "", "uses XML entities of its own", "Write their values in their place")
    return Tag(root, source)


def _import_lxml() -> ModuleType:
    try:
        return import_module("lxml.etree")
    except ImportError as error:
        raise MissingDependencyError(
            'Reading a URDF needs the package lxml. Install it with `pip install "jaxdyn[urdf]"`.'
        ) from error


def _load(path_or_text: str | os.PathLike[str]) -> tuple[str, bytes]:
    """Name of the source and its bytes."""
    if isinstance(path_or_text, str):
        text = path_or_text.lstrip("\ufeff")
        if text.lstrip().startswith("<"):
            # The encoding that a declaration claims no longer holds for a str; its lines must still be counted.
            body = _XML_DECLARATION.sub(lambda match: "\n" * match[0].count("\n"), text, count=1)
            return TEXT_SOURCE, body.encode("utf-8", "surrogatepass")
    source = os.fspath(path_or_text)
    try:
        return source, Path(source).read_bytes()
    except OSError as error:
        raise ModelDescriptionError(
            f"{source[:200]!r} cannot be read: {error.strerror}. "
            "Pass the path of an existing file, or XML text that begins with `<`."
        ) from error
