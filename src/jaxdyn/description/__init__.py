"""Robot files: from URDF to a `ModelDescription`, and from there to a `Mechanism`."""

from ._model import JointDescription as JointDescription
from ._model import LinkDescription as LinkDescription
from ._model import LoaderWarning as LoaderWarning
from ._model import ModelDescription as ModelDescription
from ._model import ModelReport as ModelReport
from ._model import ReportEntry as ReportEntry
from ._urdf import read_urdf as read_urdf
