"""How descriptions read: whether they say more than a name, when to use a tool, and whether two say the same."""

from __future__ import annotations

import re

_LITTLE = frozenset(
    "a an the of by in on for to from with all any one its their this that and or is are it be as at".split()
)
_WHEN = re.compile(
    r"\b(use|uses|used|when|whenever|if|unless|only|must|needs?|requires?|after|before|once|instead|first|"
    r"until|while|where|so that|because|cannot|never|always|optionally|"
    r"to (find|see|check|learn|know|get|choose|plan))\b",
    re.IGNORECASE,
)
_SAME = 0.9
_FEWEST = 4


def words_of(text: str) -> list[str]:
    """The words of a sentence or of a name such as list_openDeals, small and without their plural s."""
    spread = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text)
    return [_singular(word) for word in re.findall(r"[^\W_]+", spread.casefold())]


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def about(text: str) -> frozenset[str]:
    """The words that carry what a description says."""
    return frozenset(words_of(text)) - _LITTLE


def only_repeats(description: str, name: str) -> bool:
    """Whether a description holds no word that the name does not hold."""
    return about(description) <= frozenset(words_of(name))


def says_when(description: str) -> bool:
    """Whether a description tells an agent when a tool is right, or what must be true first."""
    return bool(_WHEN.search(description))


def nearly_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two descriptions differ in hardly a word."""
    if min(len(one), len(other)) < _FEWEST:
        return one == other and bool(one)
    return len(one & other) >= _SAME * len(one | other)
