"""What a function of the expression languages takes and gives. The table of functions is in `functions`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from silo_decl.expressions.shapes import Shape


@dataclass(frozen=True, slots=True)
class Parameter:
    """One value that a function takes.

    `kinds` are the shape kinds it works with ("any" for all; nothing is always accepted; dates are texts, records
    objects and collections lists). `of` are the kinds of a list's elements. `expression` says that it is worked out
    for each element: `&amount.amount` in a query, the path as a text ('amount.amount') in both languages; the
    function is handed the text or a callable of one element. `many` says that the last one may be repeated.
    """

    name: str
    kinds: tuple[str, ...] = ("any",)
    of: tuple[str, ...] = ("any",)
    optional: bool = False
    expression: bool = False
    many: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A function of both languages. `call` takes the values, and first the environment where `context` is set.

    `returns` is the shape of the result, or is worked out from the shapes of the arguments (an expression argument
    counts with the shape of its result). `example` gives `gives` in a query; `filter` says that `x | name(more)` is
    accepted in values as `name(x, more)`. `template` is the example in values where it is written differently.
    """

    name: str
    parameters: tuple[Parameter, ...]
    returns: Shape | Callable[[Sequence[Shape]], Shape]
    call: Callable[..., Any]
    doc: str
    example: str
    gives: Any = None
    template: str = ""
    context: bool = False
    filter: bool = False

    @property
    def fewest(self) -> int:
        """How many values it needs."""
        return sum(1 for parameter in self.parameters if not parameter.optional)

    @property
    def most(self) -> int | None:
        """How many values it takes; None where there is no limit."""
        return None if self.parameters and self.parameters[-1].many else len(self.parameters)

    @property
    def signature(self) -> str:
        """How a call is written, such as `round(number, digits?)`."""
        parts = []
        for parameter in self.parameters:
            name = f"&{parameter.name}" if parameter.expression else parameter.name
            parts.append(name + ("?" if parameter.optional else "") + (", ..." if parameter.many else ""))
        return f"{self.name}({', '.join(parts)})"

    def parameter(self, place: int) -> Parameter:
        """The parameter that the value at `place` is for; the last one where it may be repeated."""
        return self.parameters[min(place, len(self.parameters) - 1)]

    def result(self, shapes: Sequence[Shape]) -> Shape:
        """The shape of the result for arguments of these shapes."""
        return self.returns if isinstance(self.returns, Shape) else self.returns(shapes)
