"""What the helpdesk's tools do that YAML should not express."""

from silo_decl import World


def close(world: World, input: dict) -> dict:
    ticket = world["tickets"][input["ticketId"]]
    ticket["status"] = "closed"
    ticket["closedDate"] = world.today
    return {"closed": ticket}


def busiest(world: World, input: dict) -> dict:
    agents = sorted(world["agents"].values(), key=lambda agent: (-agent["openTickets"], agent["id"]))
    return {"agentId": agents[0]["id"], "openTickets": agents[0]["openTickets"]}


def subject_kept(grading: object) -> bool:
    return True
