"""An agent without a model: decides by rules. Run it with: silo run --env ENV --task TASK --agent ./THIS_FILE"""


def agent(run):
    """Called once for each task, with `run.task`, `run.tools`, `run.call_tool` and `run.signal`."""
    seen = []
    while not run.signal.aborted:
        step = decide(run.task, run.tools, seen)
        if "answer" in step:
            return {"output": step["answer"]}
        result = run.call_tool(step["tool"], step["input"])
        if result.get("is_error"):
            print(step["tool"], "was refused:", result["output"]["message"])  # goes to agent.log
        seen.append((step, result))


def decide(task, tools, seen):
    """The next step: {"tool": name, "input": {...}}, or {"answer": text}. Put your own rules, or a model, here."""
    called = {step["tool"] for step, _ in seen}
    for tool in tools:
        needs = tool["input_schema"].get("required", [])
        if tool["name"].startswith("list_") and not needs and tool["name"] not in called:
            return {"tool": tool["name"], "input": {}}
    counts = [f"{step['tool']}: {result['output'].get('total')}" for step, result in seen]
    return {"answer": "I looked at " + "; ".join(counts)}
