"""The version, and whether it is compiled, in a module that imports nothing."""

__version__ = "0.2.0"


def missing() -> list[str]:
    """Return the kernels that run as plain Python here."""
    from importlib.machinery import EXTENSION_SUFFIXES
    from pathlib import Path

    folder = Path(__file__).parent / "kernels"
    names = sorted(path.stem for path in folder.glob("[!_]*.py"))
    return [name for name in names if not any((folder / f"{name}{suffix}").exists() for suffix in EXTENSION_SUFFIXES)]
