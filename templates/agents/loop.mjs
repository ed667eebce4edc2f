// An agent without a model: decides by rules. Run it with: silo run --env ENV --task TASK --agent ./THIS_FILE

/** Called once for each task. */
export default async function agent({ task, tools, callTool, signal }) {
  const seen = [];
  while (!signal.aborted) {
    const step = decide(task, tools, seen);
    if ("answer" in step) return { output: step.answer };
    const result = await callTool(step.tool, step.input);
    if (result.isError) console.log(step.tool, "was refused:", result.output.message); // goes to agent.log
    seen.push({ step, result });
  }
}

/** The next step: { tool, input } or { answer }. Put your own rules, or a model, here. */
function decide(task, tools, seen) {
  const called = new Set(seen.map(({ step }) => step.tool));
  for (const tool of tools) {
    const needs = tool.inputSchema.required ?? [];
    if (tool.name.startsWith("list_") && needs.length === 0 && !called.has(tool.name)) {
      return { tool: tool.name, input: {} };
    }
  }
  const counts = seen.map(({ step, result }) => `${step.tool}: ${result.output.total}`);
  return { answer: `I looked at ${counts.join("; ")}` };
}
