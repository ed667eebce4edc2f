"""Which of several counting groups each record belongs to, so that as many groups as can be have what they ask for."""

from __future__ import annotations

from collections.abc import Sequence


def shared_out(
    ids: Sequence[str], numbers: Sequence[int], taken: Sequence[set[str]], fits: Sequence[set[str]]
) -> tuple[list[list[str]], list[str]]:
    """The records of each group, and those of no group.

    `taken` are the records that each group may have, `fits` those of them that end as it says, `numbers` how many each
    asks for. First as many fitting records as can be go to groups that want them; what is left goes to the first
    group that may have it.
    """
    owner: dict[str, int] = {}
    for group, number in enumerate(numbers):
        for _ in range(min(number, len(ids))):
            if not _give(group, ids, fits, owner, set()):
                break
    for one in ids:
        if one not in owner:
            first = next((group for group, mine in enumerate(taken) if one in mine), None)
            if first is not None:
                owner[one] = first
    shares = [[one for one in ids if owner.get(one) == group] for group in range(len(numbers))]
    return shares, [one for one in ids if one not in owner]


def _give(group: int, ids: Sequence[str], fits: Sequence[set[str]], owner: dict[str, int], seen: set[str]) -> bool:
    """Give the group one more record that fits, moving others where another group can do with a different one."""
    for one in ids:
        if one in fits[group] and one not in seen:
            seen.add(one)
            if one not in owner or (owner[one] != group and _give(owner[one], ids, fits, owner, seen)):
                owner[one] = group
                return True
    return False
