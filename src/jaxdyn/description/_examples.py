"""Robots that come with the package."""

from importlib.resources import files

from .._errors import UnknownNameError
from ..joints import QuaternionFloating
from ..mechanism import Mechanism
from ._build import load_urdf

ROOT_JOINTS = {"arm": None, "quadruped": QuaternionFloating, "double_pendulum": None}


def load_example(name: str) -> Mechanism:
    """One of the robots that come with the package; needs the extra `urdf`.

    Args:
        name: "arm" (seven hinges and a gripper's slider, fixed base), "quadruped" (twelve hinges, floating base) or
            "double_pendulum" (two hinges about y; zero is hanging).

    Returns:
        The mechanism, in JAX's float type.

    Raises:
        UnknownNameError: There is no such robot.
        MissingDependencyError: lxml is not installed.
    """
    if name not in ROOT_JOINTS:
        raise UnknownNameError(
            f"There is no example robot named `{name}`. The examples are: {', '.join(f'`{n}`' for n in ROOT_JOINTS)}."
        )
    text = (files("jaxdyn.description") / "data" / f"{name}.urdf").read_text(encoding="utf-8")
    root_joint = ROOT_JOINTS[name]
    return load_urdf(text, root_joint=None if root_joint is None else root_joint())
