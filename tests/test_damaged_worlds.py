"""A shipped world with damage anywhere in its files gives problems, never anything else."""

import json
import random
import shutil
from pathlib import Path

import pytest

from silo_decl.engine.environment import check

CRM = Path(__file__).parent.parent / "environments" / "crm"
TEXTS = sorted(path.relative_to(CRM) for path in CRM.rglob("*.yaml"))
DATA = sorted(path.relative_to(CRM) for path in CRM.rglob("*.json"))


def _damaged(text: str, dice: random.Random) -> str:
    """A text with a few letters gone, doubled or replaced, or a line moved."""
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(len(text))
        what = dice.randrange(5)
        if what == 0:
            text = text[:place] + text[place + dice.randint(1, 12) :]
        elif what == 1:
            text = text[:place] + dice.choice("{}[]:#'\"-&*!|>%@`\t\n \u00e9\U0001f600=$") + text[place:]
        elif what == 2:
            lines = text.split("\n")
            lines.insert(dice.randrange(len(lines)), lines.pop(dice.randrange(len(lines))))
            text = "\n".join(lines)
        elif what == 3:
            text = text[:place] + text[max(0, place - 9) : place] + text[place:]
        else:
            text = text.replace(dice.choice(["id", "status", "amount", "name", "from", "input"]), "idd", 1)
    return text


@pytest.mark.parametrize("seed", range(12))
def test_damaged_text_gives_problems_and_nothing_else(tmp_path: Path, seed: int) -> None:
    world = tmp_path / "crm"
    shutil.copytree(CRM, world)
    dice = random.Random(seed)
    for _ in range(6):
        name = dice.choice(TEXTS)
        original = (CRM / name).read_text(encoding="utf-8")
        (world / name).write_text(_damaged(original, dice), encoding="utf-8")
        check(world)
        (world / name).write_text(original, encoding="utf-8")


@pytest.mark.parametrize("seed", range(10))
def test_damaged_records_give_problems_and_nothing_else(tmp_path: Path, seed: int) -> None:
    world = tmp_path / "crm"
    shutil.copytree(CRM, world)
    dice = random.Random(seed)
    for _ in range(6):
        name = dice.choice(DATA)
        records = json.loads((CRM / name).read_text(encoding="utf-8"))
        for record in dice.sample(records, min(3, len(records))):
            field = dice.choice(list(record))
            if isinstance(record[field], dict) and record[field] and dice.random() < 0.5:
                del record[field][dice.choice(list(record[field]))]
            elif dice.random() < 0.4:
                del record[field]
            else:
                record[field] = dice.choice([None, 1, "x", True, [], {}, {"amount": 1}, [{"a": 1}], -(10**30), 0.1])
        (world / name).write_text(json.dumps(records), encoding="utf-8")
        check(world)
        shutil.copy(CRM / name, world / name)
