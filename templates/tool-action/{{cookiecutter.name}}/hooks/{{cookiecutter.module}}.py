from silo_decl import ToolError, World


def {{cookiecutter.function}}(world: World, input: dict) -> dict:
    """Write what {{cookiecutter.name}} does; an id of an unknown record never gets here."""
    record = world["{{cookiecutter.collection}}"][input["{{cookiecutter.singular}}Id"]]
    raise ToolError("invalid_state", f"{{cookiecutter.name}} is not implemented yet; {record['{{cookiecutter.key}}']} stays as it is.")
