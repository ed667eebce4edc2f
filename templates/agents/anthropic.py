"""A model behind the messages form of Anthropic's server. Needs nothing beyond Python.

ANTHROPIC_API_KEY   the key
ANTHROPIC_MODEL     the model's name
ANTHROPIC_BASE_URL  where the server is; https://api.anthropic.com where this is not set

Run it with: silo run --env ENV --task TASK --agent ./THIS_FILE
"""

import json
import os
import urllib.error
import urllib.request

BASE_URL = os.environ.get("ANTHROPIC_BASE_URL", "https://api.anthropic.com").rstrip("/")
SYSTEM = "Do the task with the tools. When it is done, answer the person in one short text."
MAX_TOKENS = 4096


def agent(run):
    """Called once for each task."""
    tools = [{key: one[key] for key in ("name", "description", "input_schema")} for one in run.tools]
    messages = [{"role": "user", "content": run.task}]
    while not run.signal.aborted:
        content = complete(messages, tools)
        messages.append({"role": "assistant", "content": content})
        calls = [block for block in content if block["type"] == "tool_use"]
        if not calls:
            return {"output": "".join(block["text"] for block in content if block["type"] == "text")}
        messages.append({"role": "user", "content": [answer(run, call) for call in calls]})


def answer(run, call):
    """What the tool says, as the model wants to have it back."""
    result = run.call_tool(call["name"], call["input"])
    return {
        "type": "tool_result",
        "tool_use_id": call["id"],
        "content": json.dumps(result["output"]),
        "is_error": bool(result.get("is_error")),
    }


def complete(messages, tools):
    """The blocks of the model's next message."""
    model = os.environ.get("ANTHROPIC_MODEL")
    if not model:
        raise SystemExit("Set ANTHROPIC_MODEL to the name of a model.")
    body = {"model": model, "max_tokens": MAX_TOKENS, "system": SYSTEM, "messages": messages, "tools": tools}
    headers = {
        "Content-Type": "application/json",
        "x-api-key": os.environ.get("ANTHROPIC_API_KEY", ""),
        "anthropic-version": "2023-06-01",
    }
    request = urllib.request.Request(f"{BASE_URL}/v1/messages", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=300) as response:
            return json.load(response)["content"]
    except urllib.error.HTTPError as wrong:
        raise RuntimeError(f"The model's server said {wrong.code}: {wrong.read().decode(errors='replace')}") from None
