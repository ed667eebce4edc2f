"""Cells of a workbook that hold an error, or a formula whose value was never worked out.

The reader of values gives nothing for both, and nothing must not be what they become without a word.
"""

from __future__ import annotations

import posixpath
import zipfile
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, iterparse

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def faults_of(path: Path) -> dict[str, dict[str, str]]:
    """For every sheet by name, its faulty cells with what is wrong; nothing where the file is built in another way."""
    try:
        with zipfile.ZipFile(path) as book:
            return {name: _faults(book, part) for name, part in _parts(book).items()}
    except (KeyError, ParseError, zipfile.BadZipFile):
        return {}


def _parts(book: zipfile.ZipFile) -> dict[str, str]:
    with book.open("xl/_rels/workbook.xml.rels") as file:
        targets = {one.get("Id", ""): one.get("Target", "") for _, one in iterparse(file) if one.get("Id")}
    with book.open("xl/workbook.xml") as file:
        sheets = [one for _, one in iterparse(file) if one.tag == f"{_MAIN}sheet"]
    return {
        one.get("name", ""): posixpath.normpath(posixpath.join("xl", targets[one.get(_LINK, "")])).removeprefix(
            "/xl/xl"
        )
        if not targets[one.get(_LINK, "")].startswith("/")
        else targets[one.get(_LINK, "")].lstrip("/")
        for one in sheets
        if one.get(_LINK) in targets
    }


def _faults(book: zipfile.ZipFile, part: str) -> dict[str, str]:
    found: dict[str, str] = {}
    with book.open(part) as file:
        for _, one in iterparse(file):
            if one.tag == f"{_MAIN}c":
                said = _fault(one)
                if said:
                    found[one.get("r", "")] = said
                one.clear()
    return found


def _fault(cell: Element) -> str:
    value = cell.findtext(f"{_MAIN}v") or ""
    if cell.get("t") == "e":
        return f"holds the error {value or '#ERROR'}"
    if cell.find(f"{_MAIN}f") is not None and not value and cell.get("t") != "str":
        return "holds a formula whose value was never worked out; open the file in a spreadsheet program and save it"
    return ""
