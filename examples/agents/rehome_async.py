"""Hands the open deals of one rep to another, with several calls under way."""

import asyncio

FROM, TO, ACTOR = "USR-004", "USR-003", "USR-001"


async def agent(run):
    page = await run.call_tool("list_opportunities", {"ownerId": FROM, "status": "open", "limit": 500})
    if page.get("is_error"):
        return f"I could not look: {page['output']['message']}"
    ids = [deal["id"] for deal in page["output"]["results"]]
    answers = await asyncio.gather(*(move(run, deal_id) for deal_id in ids))
    refused = [answer["output"]["message"] for answer in answers if answer.get("is_error")]
    return {"output": f"Moved {len(ids) - len(refused)} deals. {' '.join(refused)}".strip()}


async def move(run, deal_id):
    return await run.call_tool(
        "reassign_opportunity",
        {"opportunityId": deal_id, "newOwnerId": TO, "actorUserId": ACTOR},
    )
