// Hands the open deals of one rep to another.
const FROM = "USR-004";
const TO = "USR-003";
const ACTOR = "USR-001";

export default async function ({ task, tools, callTool, signal }) {
  console.log(`${tools.length} tools; the task: ${task}`); // goes to agent.log
  const page = await callTool("list_opportunities", { ownerId: FROM, status: "open", limit: 500 });
  if (page.is_error) return `I could not look: ${page.output.message}`;
  let moved = 0;
  for (const deal of page.output.results) {
    if (signal.aborted) break;
    const done = await callTool("reassign_opportunity", {
      opportunityId: deal.id,
      newOwnerId: TO,
      actorUserId: ACTOR,
    });
    if (done.is_error) return `${deal.id} could not be moved: ${done.output.message}`;
    moved += 1;
  }
  return { output: `Moved ${moved} deals.` };
}
