"""Hands the open deals of one rep to another."""

FROM, TO, ACTOR = "USR-004", "USR-003", "USR-001"


def agent(run):
    print(f"{len(run.tools)} tools; the task: {run.task}")  # goes to agent.log
    moved = 0
    while not run.signal.aborted:
        page = run.call_tool("list_opportunities", {"ownerId": FROM, "status": "open"})
        if page.get("is_error"):
            return f"I could not look: {page['output']['message']}"
        if not page["output"]["results"]:
            break
        for deal in page["output"]["results"]:
            done = run.call_tool(
                "reassign_opportunity",
                {"opportunityId": deal["id"], "newOwnerId": TO, "actorUserId": ACTOR},
            )
            if done.get("is_error"):
                return f"{deal['id']} could not be moved: {done['output']['message']}"
            moved += 1
    return f"Moved {moved} deals."
