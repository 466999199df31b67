"""Builds the wheel of the package with nothing but the standard library (PEP 517 and 660).

The same sources give the same bytes: files are sorted by name and have one fixed time.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FIXED = (1980, 1, 1, 0, 0, 0)


def _project() -> dict[str, Any]:
    return tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]


def _info() -> tuple[str, dict[str, bytes]]:
    project = _project()
    folder = f"{project['name']}-{project['version']}.dist-info"
    metadata = (
        "Metadata-Version: 2.1\n"
        f"Name: {project['name']}\nVersion: {project['version']}\n"
        f"Summary: {project['description']}\nRequires-Python: {project['requires-python']}\n"
        + "".join(
            f"Provides-Extra: {extra}\n"
            + "".join(f"Requires-Dist: {one}; extra == '{extra}'\n" for one in wanted)
            for extra, wanted in project["optional-dependencies"].items()
        )
        + "Description-Content-Type: text/markdown\n\n" + (HERE / "README.md").read_text("utf-8")
    )
    wheel = "Wheel-Version: 1.0\nGenerator: loopsim\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    return folder, {
        f"{folder}/METADATA": metadata.encode(),
        f"{folder}/WHEEL": wheel.encode(),
    }


def _write(directory: str, files: dict[str, bytes]) -> str:
    project = _project()
    folder, info = _info()
    files = {**files, **info}
    record = []
    for name in sorted(files):
        digest = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=")
        record.append(f"{name},sha256={digest.decode()},{len(files[name])}")
    record.append(f"{folder}/RECORD,,")
    files[f"{folder}/RECORD"] = ("\n".join(record) + "\n").encode()
    name = f"{project['name']}-{project['version']}-py3-none-any.whl"
    with zipfile.ZipFile(Path(directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path, FIXED)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[path])
    return name


def _sources() -> dict[str, bytes]:
    found = sorted((HERE / "loopsim").rglob("*"))
    return {
        path.relative_to(HERE).as_posix(): path.read_bytes()
        for path in found
        if path.is_file() and "__pycache__" not in path.parts
    }


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _write(wheel_directory, _sources())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write(wheel_directory, {"loopsim-editable.pth": f"{HERE}\n".encode()})


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder, info = _info()
    (Path(metadata_directory) / folder).mkdir()
    for name, content in info.items():
        (Path(metadata_directory) / name).write_bytes(content)
    return folder


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_sdist(sdist_directory, config_settings=None):
    project = _project()
    base = f"{project['name']}-{project['version']}"
    folder, info = _info()
    files = {f"{base}/PKG-INFO": info[f"{folder}/METADATA"]}
    for name in ["pyproject.toml", "build_backend.py", "README.md"]:
        files[f"{base}/{name}"] = (HERE / name).read_bytes()
    files |= {f"{base}/{name}": content for name, content in _sources().items()}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(files[name]), 0o644
            archive.addfile(entry, io.BytesIO(files[name]))
    path = Path(sdist_directory) / f"{base}.tar.gz"
    path.write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return path.name
