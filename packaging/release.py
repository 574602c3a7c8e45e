"""Builds the wheel and the source archive twice, checks that both times give the same bytes, and writes their SBOM.

    python packaging/release.py [folder]        the default folder is dist/

The SBOM (CycloneDX, JSON) lists what an installation brings: this package and what it requires, with versions and
licences as they are installed. It needs the package `build`.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def built(folder: Path) -> dict[str, str]:
    """Build both archives into a folder; their hashes by name."""
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)], check=True)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def required(name: str) -> list[str]:
    """The packages that a package requires wherever it is installed."""
    found = [line for line in requires(name) or () if ";" not in line]
    return [line.partition(" ")[0].partition(">")[0].partition("<")[0].partition("=")[0] for line in found]


def licence(name: str) -> str:
    """The licence that an installed package says that it has."""
    metadata = distribution(name).metadata
    classifiers = [c.rpartition(":: ")[2] for c in metadata.get_all("Classifier") or () if c.startswith("License ::")]
    text = metadata.get("License-Expression") or (metadata.get("License") or "").partition("\n")[0]
    return text if text and len(text) < 60 else ", ".join(classifiers) or "unknown"


def bill_of_materials() -> dict:
    """What an installation without extras brings, in CycloneDX's form."""
    names = ["adjoint"]
    for name in names:
        names += [other for other in required(name) if other not in names]
    components = [
        {"type": "library", "name": name, "version": distribution(name).version, "purl": f"pkg:pypi/{name.lower()}@"
         + distribution(name).version, "licenses": [{"license": {"name": licence(name)}}]}
        for name in names
    ]
    main, *others = components
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": {"component": main},
        "components": others,
    }


def main(folder: Path) -> None:
    """Build, compare, and write."""
    with tempfile.TemporaryDirectory() as other:
        first, second = built(folder), built(Path(other))
    different = [name for name, digest in second.items() if first.get(name) != digest]
    if different:
        raise SystemExit(f"built twice, {', '.join(different)} differ")
    try:
        bill = bill_of_materials()
    except PackageNotFoundError as missing:
        raise SystemExit(
            f"{missing.name} is not installed here, and the bill of materials reads licences from what is installed.\n"
            f"  Try: {sys.executable} -m pip install ."
        ) from None
    (folder / "adjoint.cdx.json").write_text(json.dumps(bill, indent=2) + "\n")
    for name, digest in second.items():
        print(digest, name)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist")
