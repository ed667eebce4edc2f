"""Where an environment is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from silo_decl.errors import UsageError
from silo_decl.specs.find import find_environment, list_environments
from tests.specs.folders import written


def test_environment_is_found_by_name_then_as_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "environments" / "shop", {})
    written(tmp_path / "elsewhere", {})
    monkeypatch.chdir(tmp_path)
    assert find_environment("shop") == Path("environments/shop")
    assert find_environment("elsewhere") == Path("elsewhere")
    assert find_environment(str(tmp_path / "elsewhere" / "environment.yaml")) == tmp_path / "elsewhere"
    assert ("shop", Path("environments/shop")) in list_environments()


@pytest.mark.parametrize("name", ["shpo", "", "."])
def test_unknown_environment_is_a_wrong_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    written(tmp_path / "environments" / "shop", {})
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as wrong:
        find_environment(name)
    if name == "shpo":
        assert "Did you mean 'shop'?" in wrong.value.message
