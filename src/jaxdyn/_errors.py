"""Exception types: every one is a `JaxdynError` and also the builtin that a caller would expect."""


class JaxdynError(Exception):
    """Base class of every error that jaxdyn raises on purpose."""


class ModelDescriptionError(JaxdynError, ValueError):
    """A file describes something that jaxdyn cannot represent, or contradicts itself."""


class MechanismError(JaxdynError, ValueError):
    """A mechanism is built inconsistently, or an operation is impossible for this mechanism."""


class UnknownNameError(JaxdynError, LookupError):
    """No body, joint or frame has this name."""


class ShapeError(JaxdynError, ValueError):
    """An array has the wrong shape or the wrong dtype."""


class InvalidValueError(JaxdynError, ValueError):
    """A value is wrong where it enters: a NaN state, a negative step, a zero axis."""


class MissingDependencyError(JaxdynError, ImportError):
    """An optional package is needed; the message carries the line that installs it."""
