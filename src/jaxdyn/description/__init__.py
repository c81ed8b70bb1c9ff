"""Robot files: from URDF to a `ModelDescription`, and from there to a `Mechanism`."""

from ._build import load_urdf as load_urdf
from ._build import mechanism_report as mechanism_report
from ._examples import load_example as load_example
from ._model import JointDescription as JointDescription
from ._model import LinkDescription as LinkDescription
from ._model import LoaderWarning as LoaderWarning
from ._model import ModelDescription as ModelDescription
from ._model import ModelReport as ModelReport
from ._model import ReportEntry as ReportEntry
from ._urdf import read_urdf as read_urdf
