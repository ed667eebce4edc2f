"""The wheel carries templates, environments and schemas, which stand outside the package."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CARRIED = ("templates", "environments", "schemas")


class CarryHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the folders to a real wheel; an editable install finds them in the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            for folder in CARRIED:
                build_data["force_include"][folder] = f"silo_decl/_shipped/{folder}"
