"""Mechanisms in files: everything that a mechanism is, in one NumPy archive with a header in JSON, without pickle."""

import dataclasses
import json
import os
import zipfile
from collections.abc import Mapping
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import joints as builtin_joints
from .._errors import InvalidValueError, ModelDescriptionError
from .._tracing import is_traced
from ..joints import AbstractJoint
from ..spatial import SpatialInertia
from ._mechanism import LoopJoints, Mechanism, Mimics
from ._placement import Placement
from ._topology import Topology

_FORMAT = "jaxdyn mechanism"
_VERSION = 1
_RECORDS = {cls.__name__: cls for cls in (Mechanism, Mimics, LoopJoints, Topology, Placement, SpatialInertia)}
_JOINTS = {name: getattr(builtin_joints, name) for name in builtin_joints.__all__}

Path = str | os.PathLike[str]


def save(path: Path, mechanism: Mechanism) -> None:
    """Write a mechanism to one file: names, tree, joint classes and all numbers, to the last bit.

    Nothing else is needed to read it again, neither the file it was made from nor any mesh.

    Args:
        path: The file to write, by custom with the ending `.npz`.
        mechanism: The mechanism, or a batch made by `stack_mechanisms`.

    Raises:
        InvalidValueError: The mechanism is traced, or a joint of a class of your own holds something that is neither
            array, number, text, truth value nor a tuple or module of these.
    """
    if is_traced(mechanism):
        raise InvalidValueError(
            "The mechanism must hold numbers to be saved, but is traced. Return it from the transformed function, "
            "and save it outside."
        )
    arrays: dict[str, np.ndarray] = {}
    header = {"format": _FORMAT, "version": _VERSION, "mechanism": _encoded(mechanism, arrays, "the mechanism")}
    with open(path, "wb") as file:
        np.savez(file, allow_pickle=False, header=np.array(json.dumps(header)), **arrays)


def load(path: Path, *, joint_classes: Mapping[str, type[AbstractJoint]] | None = None) -> Mechanism:
    """Read a mechanism from a file that `save` wrote.

    Args:
        path: The file.
        joint_classes: Joint classes that are not jaxdyn's own, by their names: `{"Cam": Cam}`.

    Returns:
        The mechanism, equal to the saved one to the last bit.

    Raises:
        ModelDescriptionError: The file was not written by `save`, or by a version that writes something else.
        InvalidValueError: A joint class is missing or has other fields than the saved one, or the numbers have double
            precision, which is switched off.
    """
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            contents = {name: archive[name] for name in archive.files}
        header = json.loads(str(contents.pop("header")))
        is_ours = header["format"] == _FORMAT
    except (ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile, EOFError) as error:
        raise _not_ours(path, str(error)) from None
    if not is_ours or header.get("version") != _VERSION:
        raise _not_ours(path, f"format {header['format']!r}, version {header.get('version')}")
    return _decoded(header["mechanism"], contents, dict(joint_classes or {}))


def _not_ours(path: Path, what: str) -> ModelDescriptionError:
    return ModelDescriptionError(
        f"{os.fspath(path)}: expected a mechanism written by `jaxdyn.save`, version {_VERSION}, but found: {what}. "
        "Read robot descriptions with `load_urdf`, and write the file again with this version of jaxdyn."
    )


def _encoded(value: Any, arrays: dict[str, np.ndarray], where: str) -> Any:
    """A value as JSON; its arrays are put into `arrays`."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple):
        return [_encoded(item, arrays, where) for item in value]
    if isinstance(value, jax.Array | np.ndarray) and np.dtype(value.dtype).kind in "fiub":
        name = f"array_{len(arrays)}"
        arrays[name] = np.asarray(value)
        return {"array": name}
    if isinstance(value, eqx.Module | Topology):
        cls = type(value)
        is_own = cls in (*_RECORDS.values(), *_JOINTS.values())
        fields = {
            field.name: _encoded(getattr(value, field.name), arrays, f"`{field.name}` of class {cls.__name__}")
            for field in dataclasses.fields(value)
        }
        return {"class": cls.__name__, "is_own": is_own, "fields": fields}
    raise InvalidValueError(
        f"A number, text, array, tuple or module must be saved, but {where} is of type {type(value).__name__}. "
        "Make it one of these, or a property of the class."
    )


def _decoded(value: Any, arrays: Mapping[str, np.ndarray], joint_classes: Mapping[str, type]) -> Any:
    if isinstance(value, list):
        return tuple(_decoded(item, arrays, joint_classes) for item in value)
    if not isinstance(value, dict):
        return value
    if "array" in value:
        return _as_jax(arrays[value["array"]])
    name = value["class"]
    cls = ({**_RECORDS, **_JOINTS} if value["is_own"] else joint_classes).get(name)
    if cls is None:
        raise InvalidValueError(
            f"The file has a joint of class `{name}`, which must be given. Pass `joint_classes={{'{name}': {name}}}`."
        )
    fields = {field.name for field in dataclasses.fields(cls)}
    if fields != set(value["fields"]):
        raise InvalidValueError(
            f"Class `{name}` must have the fields that it had when it was saved, {sorted(value['fields'])}, but has "
            f"{sorted(fields)}. Use the class of that time."
        )
    made = object.__new__(cls)  # as JAX makes a pytree: checks of the class are for one joint, not for a stack
    for field, content in value["fields"].items():
        object.__setattr__(made, field, _decoded(content, arrays, joint_classes))
    return made


def _as_jax(array: np.ndarray) -> jax.Array:
    converted = jnp.asarray(array)
    if converted.dtype != array.dtype:
        raise InvalidValueError(
            f"The numbers in the file have type {array.dtype}, which must be switched on to read them exactly. "
            'Call `jax.config.update("jax_enable_x64", True)` first; `mechanism.astype` converts them afterwards.'
        )
    return converted
