"""Functions over lists, collections and objects. Every list result is a new list; nothing counts as an empty one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions import meaning
from silo_decl.expressions.functions_signature import Function, Parameter
from silo_decl.expressions.functions_values import element_of, listed, mapping, reader
from silo_decl.expressions.records import CollectionLike, RecordLike
from silo_decl.expressions.shapes import ANY, BOOLEAN, NUMBER, TEXT, Shape, list_of, union


def length(value: Any) -> int:
    """How many elements, records, fields or letters; nothing has none."""
    if value is None:
        return 0
    if isinstance(value, (str, list, dict, tuple, CollectionLike)):
        return len(value)
    if isinstance(value, RecordLike):
        return len(value.plain())
    raise ExpressionError(f"length(...) counts what is in a list, an object or a text, not {meaning.shown(value)}.")


def count(values: Any, test: Any = None) -> int:
    """How many elements, or how many for which `test` is something."""
    elements = listed(values, "count")
    if test is None:
        return len(elements)
    read = reader(test)
    return sum(1 for element in elements if meaning.truth(read(element)))


def first(values: Any) -> Any:
    if isinstance(values, CollectionLike):
        return next(iter(values), None)
    elements = listed(values, "first")
    return elements[0] if elements else None


def last(values: Any) -> Any:
    elements = listed(values, "last")
    return elements[-1] if elements else None


def any_of(values: Any, test: Any = None) -> bool:
    elements = listed(values, "any")
    return any(map(meaning.truth, elements if test is None else map(reader(test), elements)))


def all_of(values: Any, test: Any = None) -> bool:
    elements = listed(values, "all")
    return all(map(meaning.truth, elements if test is None else map(reader(test), elements)))


def sort(values: Any) -> list[Any]:
    return sorted(listed(values, "sort"), key=meaning.sort_key)


def sort_by(values: Any, key: Any) -> list[Any]:
    read = reader(key)
    return sorted(listed(values, "sort_by"), key=lambda element: meaning.sort_key(read(element)))


def group_by(values: Any, key: Any) -> dict[str, list[Any]]:
    """Lists of elements by the text of their key, in order of first appearance; without a key they are left out."""
    read = reader(key)
    groups: dict[str, list[Any]] = {}
    for element in listed(values, "group_by"):
        found = read(element)
        if found is not None:
            groups.setdefault(meaning.to_text(found), []).append(element)
    return groups


def map_list(of: Any, values: Any) -> list[Any]:
    read = reader(of)
    return [read(element) for element in listed(values, "map")]


def flatten(values: Any) -> list[Any]:
    result: list[Any] = []
    for element in listed(values, "flatten"):
        if isinstance(element, list):
            result.extend(element)
        else:
            result.append(element)
    return result


def reverse(value: Any) -> Any:
    return value[::-1] if isinstance(value, str) else listed(value, "reverse")[::-1]


def zip_lists(*values: Any) -> list[list[Any]]:
    """Rows of the first elements, the second, and so on; where a list is shorter, nothing stands."""
    columns = [listed(value, "zip") for value in values]
    rows = max(map(len, columns), default=0)
    return [[column[place] if place < len(column) else None for column in columns] for place in range(rows)]


def without(values: Any, others: Any) -> list[Any]:
    """The elements that are not among `others`, which is a list or one value."""
    left_out = others if isinstance(others, (list, CollectionLike)) else [others]
    return [
        element for element in listed(values, "without") if not any(meaning.equals(element, one) for one in left_out)
    ]


def unique(values: Any, key: Any = None) -> list[Any]:
    """The first of those that are equal, or whose field is equal."""
    read = reader(key) if key is not None else lambda element: element
    result: list[Any] = []
    texts: set[str] = set()
    others: list[Any] = []
    for element in listed(values, "unique"):
        found = read(element)
        if isinstance(found, str):
            if found in texts:
                continue
            texts.add(found)
        elif any(meaning.equals(found, one) for one in others):
            continue
        else:
            others.append(found)
        result.append(element)
    return result


def contains(container: Any, item: Any) -> bool:
    return meaning.contains(container, item)


def to_array(value: Any) -> list[Any]:
    return listed(value, "to_array") if isinstance(value, (list, CollectionLike)) else [value]


def keys(value: Any) -> list[str]:
    return list(mapping(value, "keys"))


def values(value: Any) -> list[Any]:
    return list(value) if isinstance(value, CollectionLike) else list(mapping(value, "values").values())


def at(container: Any, key: Any) -> Any:
    return meaning.item(container, key)


def merge(*objects: Any) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for one in objects:
        result.update(mapping(one, "merge"))
    return result


def _element(shapes: Sequence[Shape]) -> Shape:
    return element_of(shapes).maybe()


def _same_list(shapes: Sequence[Shape]) -> Shape:
    return list_of(element_of(shapes))


def _mapped(shapes: Sequence[Shape]) -> Shape:
    return list_of(shapes[0] if shapes else ANY)


def _grouped(shapes: Sequence[Shape]) -> Shape:
    return Shape("map", of=list_of(element_of(shapes)))


def _flattened(shapes: Sequence[Shape]) -> Shape:
    element = element_of(shapes)
    return list_of(element.element if element.kind == "list" else element)


def _zipped(shapes: Sequence[Shape]) -> Shape:
    elements = [element_of(shapes, place) for place in range(len(shapes))]
    return list_of(list_of(reduce(union, elements).maybe() if elements else ANY))


def _values(shapes: Sequence[Shape]) -> Shape:
    if not shapes or shapes[0].kind not in ("map", "object", "record", "collection"):
        return list_of(ANY)
    shape = shapes[0]
    if shape.kind in ("map", "collection"):
        return list_of(shape.element)
    return list_of(ANY if shape.open or not shape.fields else reduce(union, shape.fields.values()))


def _at(shapes: Sequence[Shape]) -> Shape:
    if shapes and shapes[0].kind in ("map", "list", "collection"):
        return shapes[0].element.maybe()
    return ANY


def _reversed(shapes: Sequence[Shape]) -> Shape:
    return shapes[0] if shapes and shapes[0].textual else _same_list(shapes)


_L = Parameter("list", ("list",))
_O = Parameter("object", ("object", "map"))
_TEST = Parameter("test", optional=True, expression=True)
_KEY = Parameter("field", expression=True)

LIST_FUNCTIONS = (
    Function(
        "length",
        (Parameter("value", ("list", "text", "object", "map")),),
        NUMBER,
        length,
        "How many elements a list has, fields an object, letters a text; nothing has none.",
        "length(['a', 'b'])",
        2,
        filter=True,
    ),
    Function(
        "count",
        (_L, _TEST),
        NUMBER,
        count,
        "How many elements a list has, or how many meet a test.",
        'count(`[{"n": 1}, {"n": 5}]`, &n > 2)',
        1,
        template="count([{'ok': true}, {'ok': false}], 'ok')",
        filter=True,
    ),
    Function("first", (_L,), _element, first, "The first element of a list.", "first(['a', 'b'])", "a", filter=True),
    Function("last", (_L,), _element, last, "The last element of a list.", "last(['a', 'b'])", "b", filter=True),
    Function(
        "any",
        (_L, _TEST),
        BOOLEAN,
        any_of,
        "Whether an element is something, or meets a test; no element does not.",
        "any([false, true])",
        True,
    ),
    Function(
        "all",
        (_L, _TEST),
        BOOLEAN,
        all_of,
        "Whether every element is something, or meets a test; holds where there is none.",
        "all([true, false])",
        False,
    ),
    Function(
        "sort",
        (_L,),
        _same_list,
        sort,
        "A list in order, nothing last.",
        "sort(['b', null, 'a'])",
        ["a", "b", None],
        filter=True,
    ),
    Function(
        "sort_by",
        (_L, _KEY),
        _same_list,
        sort_by,
        "A list in the order of a field, nothing last.",
        'sort_by(`[{"n": 2}, {}, {"n": 1}]`, &n)',
        [{"n": 1}, {"n": 2}, {}],
        template="sort_by([{'n': 2}, {}, {'n': 1}], 'n')",
    ),
    Function(
        "group_by",
        (_L, _KEY),
        _grouped,
        group_by,
        "Lists of elements by the value of a field.",
        'group_by(`[{"s": "a"}, {"s": "b"}, {"s": "a"}]`, &s)',
        {"a": [{"s": "a"}, {"s": "a"}], "b": [{"s": "b"}]},
        template="group_by([{'s': 'a'}, {'s': 'b'}, {'s': 'a'}], 's')",
    ),
    Function(
        "map",
        (Parameter("field", expression=True), _L),
        _mapped,
        map_list,
        "A field, or what an expression gives, of every element; nothing is kept.",
        'map(&n, `[{"n": 1}, {}]`)',
        [1, None],
        template="map('n', [{'n': 1}, {}])",
    ),
    Function(
        "flatten",
        (_L,),
        _flattened,
        flatten,
        "A list of lists as one list, one level.",
        "flatten([['a'], ['b', 'c']])",
        ["a", "b", "c"],
    ),
    Function(
        "reverse",
        (Parameter("list", ("list", "text")),),
        _reversed,
        reverse,
        "A list or a text from its end.",
        "reverse(['a', 'b'])",
        ["b", "a"],
        filter=True,
    ),
    Function(
        "zip",
        (Parameter("list", ("list",), many=True),),
        _zipped,
        zip_lists,
        "Rows of what stands at the same place in several lists; where a list is shorter, nothing.",
        "zip(['a', 'b'], ['c'])",
        [["a", "c"], ["b", None]],
    ),
    Function(
        "without",
        (_L, Parameter("others")),
        _same_list,
        without,
        "The elements that are not among others.",
        "without(['a', 'b', 'c'], ['b'])",
        ["a", "c"],
    ),
    Function(
        "unique",
        (_L, Parameter("field", optional=True, expression=True)),
        _same_list,
        unique,
        "The first of equal elements, or of those with an equal field.",
        "unique(['a', 'b', 'a'])",
        ["a", "b"],
        filter=True,
    ),
    Function(
        "contains",
        (Parameter("container", ("list", "text", "object", "map")), Parameter("value")),
        BOOLEAN,
        contains,
        "Whether a list has an element, a text a part, an object a key.",
        "contains(['a', 'b'], 'b')",
        True,
    ),
    Function(
        "to_array",
        (Parameter("value"),),
        lambda shapes: _same_list(shapes) if shapes and shapes[0].kind in ("list", "collection") else list_of(ANY),
        to_array,
        "A list as it is, anything else as a list of one.",
        "to_array('a')",
        ["a"],
    ),
    Function(
        "keys",
        (_O,),
        list_of(TEXT),
        keys,
        "The keys of an object.",
        'keys(`{"a": 1, "b": 2}`)',
        ["a", "b"],
        template="keys({'a': 1, 'b': 2})",
    ),
    Function(
        "values",
        (Parameter("object", ("object", "map", "collection")),),
        _values,
        values,
        "The values of an object.",
        'values(`{"a": 1, "b": 2}`)',
        [1, 2],
        template="values({'a': 1, 'b': 2})",
    ),
    Function(
        "at",
        (Parameter("object", ("object", "map", "list")), Parameter("key", ("text", "number"))),
        _at,
        at,
        "The value of an object at a key, or of a list at a place; nothing where there is none.",
        "at(`{\"a\": 1}`, 'a')",
        1,
        template="at({'a': 1}, 'a')",
    ),
    Function(
        "merge",
        (Parameter("object", ("object", "map"), many=True),),
        ANY,
        merge,
        "Objects made one; of equal keys the last counts.",
        'merge(`{"a": 1}`, `{"b": 2}`)',
        {"a": 1, "b": 2},
        template="merge({'a': 1}, {'b': 2})",
    ),
)
