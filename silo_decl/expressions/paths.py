"""Field paths such as `amount.currency`, as they stand in sort keys, views, filters and `set`."""

from __future__ import annotations

from silo_decl.expressions.findings_fields import read_field
from silo_decl.expressions.functions_values import Reader, path_reader
from silo_decl.expressions.shapes import Finding, Shape


def field_path(path: str, shape: Shape) -> tuple[Reader, Shape, list[Finding]]:
    """What reads the path from a value of this shape, the shape of what it reads, and what is wrong with it.

    A dot is always a step. The reader gives nothing where a step has nothing to read from.
    """
    findings: list[Finding] = []
    steps = path.split(".")
    offset = 0
    for place, step in enumerate(steps):
        if not step.strip():
            findings.append(_empty_step(path, offset))
            break
        shape, finding = read_field(shape, step, offset, ".".join(steps[:place]))
        if finding is not None:
            findings.append(finding)
            break
        offset += len(step) + 1
    return path_reader(path), shape, findings


def _empty_step(path: str, offset: int) -> Finding:
    said = "Here stands no field." if not path.strip() else f"The path '{path}' has a dot with no field beside it."
    return Finding("expression-syntax", said, "Write names of fields with a dot between them: amount.currency.", offset)
