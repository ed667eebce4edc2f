"""The lead hook of the design page."""

from silo_decl import ToolError, World

def convert_lead(world: World, input: dict) -> dict:
    lead = world["leads"][input["leadId"]]          # an unknown id is already not_found
    if lead["status"] != "qualified":
        raise ToolError("invalid_state", f"Lead {lead['id']} is {lead['status']}; only a qualified lead can be converted.")
    account = world["accounts"].create(name=lead["company"], tier="smb", ownerId=lead["ownerId"])
    lead["status"] = "converted"                    # mutate records directly
    return {"account": account}
