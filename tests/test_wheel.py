"""The wheel carries all it needs: installed apart from the checkout, the shipped world runs."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `silo` of a virtual environment that has the wheel, and borrows only the dependencies."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("silo_decl-*.whl")
    home = folder / "venv"
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel], check=True)
    (site,) = (home / "lib").glob("python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    return home / "bin" / "silo"


def _silo(installed: Path, where: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([installed, *words], cwd=where, capture_output=True, text=True, timeout=120)


def test_wheel_runs_the_shipped_world_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    done = _silo(installed, tmp_path, "run", "--env", "crm", "--suite", "core", "--agent", "solution")
    assert done.returncode == 0, done.stdout + done.stderr


def test_wheel_brings_its_own_code_and_not_the_checkouts(installed: Path, tmp_path: Path) -> None:
    python = installed.parent / "python"
    where = subprocess.run(
        [python, "-c", "import silo_decl; print(silo_decl.__file__)"], cwd=tmp_path, capture_output=True, text=True
    )
    assert str(installed.parent.parent) in where.stdout


def test_wheel_finds_the_schemas(installed: Path, tmp_path: Path) -> None:
    done = _silo(installed, tmp_path, "validate", "--env", "crm")
    assert done.returncode == 0, done.stdout + done.stderr
