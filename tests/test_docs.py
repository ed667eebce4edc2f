"""The docs cannot fall behind: generated pages are as generated, links lead somewhere, every code and key is there."""

import re
from pathlib import Path

import pytest

from docs.generate import REFERENCE, pages
from silo_decl.proving import fairness, laziness, mutants, speech

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("name", sorted(pages()))
def test_reference_page_is_what_the_generator_writes(name: str) -> None:
    written = (REFERENCE / name).read_text(encoding="utf-8")
    assert written == pages()[name], "run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert missing == []


def test_the_guide_to_proving_explains_every_kind_of_damage() -> None:
    text = (ROOT / "docs" / "guides" / "proving.md").read_text("utf-8")
    kinds = [
        value
        for module in (fairness, laziness, mutants, speech)
        for name, value in vars(module).items()
        if name.isupper() and not name.startswith("_") and isinstance(value, str)
    ]
    assert len(kinds) == 20
    assert [kind for kind in kinds if f"| `{kind}` |" not in text] == []
