"""Robot files: from URDF to a `ModelDescription`, and from there to a `Mechanism`."""

from ._build import load_urdf, mechanism_report
from ._examples import load_example
from ._model import JointDescription, LinkDescription, LoaderWarning, ModelDescription, ModelReport, ReportEntry
from ._urdf import read_urdf

__all__ = [
    "JointDescription",
    "LinkDescription",
    "LoaderWarning",
    "ModelDescription",
    "ModelReport",
    "ReportEntry",
    "load_example",
    "load_urdf",
    "mechanism_report",
    "read_urdf",
]
