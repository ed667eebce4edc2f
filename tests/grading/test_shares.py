"""Sharing records out among groups that count them."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from silo_decl.grading.shares import shared_out

IDS = ["a", "b", "c", "d"]
SETS = st.sets(st.sampled_from(IDS))


def test_record_that_fits_two_groups_goes_where_it_is_needed() -> None:
    shares, left = shared_out(["a", "b"], [1, 1], [{"a", "b"}, {"a", "b"}], [{"a", "b"}, {"a"}])
    assert (shares, left) == ([["b"], ["a"]], [])


def test_record_that_no_group_may_have_is_left() -> None:
    assert shared_out(["a", "b"], [1], [{"a"}], [{"a"}]) == ([["a"]], ["b"])


def test_more_than_a_group_asks_for_is_its_own_all_the_same() -> None:
    assert shared_out(["a", "b"], [1], [{"a", "b"}], [{"a", "b"}]) == ([["a", "b"]], [])


@given(st.lists(st.tuples(st.integers(0, 3), SETS), max_size=3))
def test_as_many_as_can_be_are_shared_out(groups: list[tuple[int, set[str]]]) -> None:
    """Against every way of giving the places of the groups to the records."""
    numbers, fits = [number for number, _ in groups], [mine for _, mine in groups]
    shares, _ = shared_out(IDS, numbers, fits, fits)
    got = sum(min(number, len(share)) for number, share in zip(numbers, shares))
    places = [group for group, number in enumerate(numbers) for _ in range(number)]
    places += [-1] * len(IDS)
    ways = {order[: len(IDS)] for order in permutations(places[:7], min(7, len(places)))} if len(places) < 8 else set()
    best = max((sum(at >= 0 and one in fits[at] for one, at in zip(IDS, way)) for way in ways), default=got)
    assert got == best
