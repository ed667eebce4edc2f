"""Every code of a problem and of a tool's refusal, with one sentence on what it means: what `silo explain` tells."""

from __future__ import annotations

from silo_decl.expressions.findings import FINDING_CODES

PROBLEM_CODES: dict[str, str] = {
    # Texts
    "yaml-syntax": "A line cannot be read as YAML: a second colon, a forgotten one, a tab, a bracket left open.",
    "json-syntax": "A place cannot be read as JSON: a comma too many, single quotes, a comment, a number like NaN.",
    "not-utf8": "The file is not written in UTF-8.",
    "empty-file": "The file holds nothing.",
    "missing-file": "A file that is named, or that must be there, is not.",
    "path-outside": "A path or a link leads out of the environment's folder.",
    "too-large": "The file is larger than what is read of its kind.",
    "too-deep": "Lists and mappings are nested too deeply, or one contains itself.",
    "alias-bomb": "With its aliases written out the file would hold far too many values.",
    "duplicate-key": "A key is written twice in one mapping.",
    "merge-key": "'<<' merges mappings in old YAML; this format does not have it.",
    "yaml-tag": "A word behind '!!' gives a type in YAML; this format does not have it.",
    "several-documents": "A file holds more than one YAML document.",
    "needs-quotes": "A text means something else to YAML unless it stands between quotes.",
    "swallowed-text": "What follows ' #' is a comment to YAML, but looks like a part of the text before it.",
    "cut-by-comma": "Inside { } a comma ends a text, so the rest of a sentence or an expression became a key.",
    "no-number": "A word such as .inf or .nan is a number that JSON cannot hold.",
    # Structure
    "unknown-key": "A setting that the format does not have stands here.",
    "missing-key": "A setting that is needed is not there.",
    "unknown-kind": "A tool or a check is of a kind that the format does not have.",
    "missing-kind": "A tool or a check does not say of which kind it is.",
    "several-kinds": "Several settings are written of which only one can be.",
    "wrong-type": "A text, a list, a mapping, a number, or true or false stands where another of them is wanted.",
    "wrong-form": "A name, a path, a date or an id form is not written as it must be.",
    "not-one-of": "A word is not among those that are allowed here.",
    "empty-value": "Nothing is written where something is needed.",
    "out-of-range": "A number is too small or too large.",
    # Names
    "duplicate-name": "Two tools, tasks, suites, collections or parameters have one name.",
    "unknown-collection": "A collection is named that does not exist.",
    "unknown-view": "A view is named that the collection does not have.",
    "unknown-rule": "A rule is named that environment.yaml does not have.",
    "wrong-rule": "A rule is used for something that is not a record of its collection.",
    "unknown-hook": "A hook is named whose file or function does not exist.",
    "wrong-hook": "A hook cannot be called with the arguments it would get.",
    "hook-syntax": "A file under hooks/ cannot be read by Python.",
    "unknown-tool": "A tool is named that no registered file has.",
    "unknown-parameter": "A field is named that is not among those that may be changed.",
    "unknown-record": "An id is written that no record has.",
    "unregistered-tools": "A tool file is not listed in environment.yaml, so no agent can call its tools.",
    "unlisted-collections": "A file of collections is not listed in environment.yaml, so they are not there.",
    "empty-selection": "A suite selects tasks by something that no task has.",
    # Collections and data
    "missing-id": "A record has no id.",
    "duplicate-id": "Two records of a collection have one id.",
    "id-differs": "A record in an object keyed by id has another id in its key field.",
    "id-as-number": "An id is written as a number; ids are texts.",
    "broken-reference": "A field holds an id that no record of the collection it refers to has.",
    "wrong-value": "A value is not of the type, or not among the values, that is declared for it.",
    "more-of-the-same": "There are more problems of a sort than are shown.",
    "unused-data": "A data file belongs to no collection.",
    "computed-clash": "A computed field has the name of a stored one.",
    "computed-fails": "A computed field cannot be worked out for a record of the data.",
    "computed-is-stored": "Something would store a computed field.",
    "computed-cycle": "Computed fields need each other, so that none of them can be worked out.",
    "not-computed": "A computed field is a fixed text, because its '=' was forgotten.",
    "no-ids": "New records would have no id, because the collection has no form for ids.",
    # Tools and tasks
    "refused-argument": "A solution calls a tool with arguments that it refuses.",
    "no-actor": "A task says who acts, but the environment has no actor.",
    "empty-check": "A check does not say what it expects.",
    "solution-fails": "The solution of a task cannot be played to its end, or does not pass a check of the task.",
    "unfilled-text": "A task that is no family holds an expression in a text that only a family works out.",
    "empty-family": "A family of tasks finds nothing, so it has no task.",
    "family-fails": "A text or a value of a family cannot be worked out for one of its members.",
    "same-question": "Two members of a family ask the same in the same words, and expect different things.",
    "no-solution": "A task has no solution, so nothing shows that it can be solved.",
    "equals-nothing": "Records are looked for by a value that may be nothing, which means all that have none.",
    "long-tool": "A tool is so long that a hook would read better.",
}

ADVICE_CODES: dict[str, str] = {
    "unused-view": "No tool shows records in this view.",
    "unused-rule": "No tool uses this rule, so it forbids nothing.",
    "hidden-collection": "No tool shows a collection, so an agent cannot know of it.",
    "unneeded-tools": "There are tools that no solution of a task calls.",
    "stub": "A tool is not written yet: every call of it fails.",
    "repeats-name": "A description says no more than the name of its tool.",
    "says-not-when": "A description does not say when an agent should use the tool.",
    "near-duplicate": "Two tools have nearly the same description, so an agent cannot choose.",
    "undescribed-parameter": "A parameter has no description, so an agent has to guess what to give.",
    "provider-limits": "Some large model providers refuse a tool for a name, a length or a count.",
    "always-null": "A filter looks at a field that is empty in every record.",
    "clock-contradiction": "An instruction says another date for today than the clock of the environment.",
    "answer-given": "The right answer of a task stands in its instruction or in the description of a tool.",
}

TOOL_ERROR_CODES: dict[str, str] = {
    "invalid_input": "An argument is missing, unknown or of the wrong kind; the message names each one.",
    "not_found": "There is no record with the id that was given.",
    "invalid_state": "The record is not in a state in which this can be done.",
    "not_allowed": "A rule of the business forbids it.",
    "conflict": "It clashes with what is there already, or several records fit.",
    "limit_exceeded": "It goes beyond a limit.",
    "tool_not_found": "There is no tool of this name.",
    "tool_failed": "The tool itself failed: a mistake of the world, which its author sees in the trace.",
    "unavailable": "The tool did not answer; a fault that was put in on purpose.",
}


def all_codes() -> dict[str, str]:
    """Every code of a problem in a file, those of expressions too."""
    return {**PROBLEM_CODES, **FINDING_CODES, **ADVICE_CODES}
