"""What a number in a sentence counts: the word behind it ('12 deals') or the label before it ('Open deals: 12')."""

from __future__ import annotations

import re

_LETTERS = r"([^\W\d_][^\W_]*(?:['’-][^\W_]+)*)"
_WORDS = re.compile(rf"[ \t]{{0,4}}{_LETTERS}(?:[ \t]{{1,4}}{_LETTERS})?(?:[ \t]{{1,4}}{_LETTERS})?")
_LABEL = re.compile(r"(?:^|[\n|;,.!?({\[\"])[ \t>•-]*([^\W_][^\n|;,.:=!?(){}\[\]\"]{0,58}?)[ \t\"]*[:=|][ \t]*\"?$")
_NUMBERED = re.compile(
    r"(?:\b(?:no\.?|nr\.?|num|number|id|page|step|line|row|week|day|quarter|phase|stage|tier|level|chapter|section|"
    r"version|release|fy|rank|priority)|№)\s{0,2}$",
    re.IGNORECASE,
)
# Words behind a number that do not name what it counts.
_STOP = frozenset(
    re.findall(
        r"\w+",
        "a about above across after all also alternatively although altogether an and approximately are as at be "
        "because been before being below between both but by can combined could currently did do does done during "
        "each either excluding for from had has have he her here his how i if in including instead into is it its "
        "just may maybe might minus my neither nor not now of on only or our out over overall per perhaps plus "
        "possibly rather respectively roughly she should since so still than that the their them then there these "
        "they this those though through till to today together total under until up us versus via vs was we were what "
        "when where whereas which while who whose will with within without worth would yet you your",
    )
)
_PASSING = frozenset(
    ("more", "other", "additional", "remaining", "further", "different", "such", "separate", "distinct")
)


def thing_after(after: str) -> str:
    """What the words right behind a number say it counts, in the singular; '' where they do not."""
    match = _WORDS.match(after)
    if match is None:
        return ""
    words = []
    for word in match.groups():
        if word is None or word.lower() in _STOP:
            break
        if word.lower() not in _PASSING:
            words.append(word.lower())
    plural = next((word for word in words if word.endswith("s") and not word.endswith("ss")), None)
    return _singular(plural or words[-1]) if words else ""


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def label_before(before: str) -> str:
    """The label that stands before a number with a colon, without numbers and single letters of its own."""
    match = _LABEL.search(before)
    if match is None:
        return ""
    parts = re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", match[1]))
    return " ".join(part.lower() for part in parts if len(part) > 1)


def numbered(before: str) -> bool:
    """Whether the word before a number makes it a name: 'step 3', 'No. 12'."""
    return _NUMBERED.search(before) is not None
