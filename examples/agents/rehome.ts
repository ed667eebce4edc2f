// Hands the open deals of one rep to another.
interface Tool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

interface Answer {
  output: any;
  is_error?: true;
}

interface Run {
  task: string;
  tools: Tool[];
  callTool(name: string, input?: Record<string, unknown>): Promise<Answer>;
  signal: AbortSignal;
}

const FROM = "USR-004";
const TO = "USR-003";
const ACTOR = "USR-001";

export default async function ({ callTool }: Run): Promise<string> {
  const page = await callTool("list_opportunities", { ownerId: FROM, status: "open", limit: 500 });
  if (page.is_error) return `I could not look: ${page.output.message}`;
  const answers: Answer[] = await Promise.all(
    page.output.results.map((deal: { id: string }) =>
      callTool("reassign_opportunity", { opportunityId: deal.id, newOwnerId: TO, actorUserId: ACTOR }),
    ),
  );
  return `Moved ${answers.filter((answer) => !answer.is_error).length} deals.`;
}
