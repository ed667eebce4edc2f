"""A model behind any server that speaks the chat completions form. Needs nothing beyond Python.

OPENAI_API_KEY   the key (a local server may need none)
OPENAI_MODEL     the model's name
OPENAI_BASE_URL  where the server is; https://api.openai.com/v1 where this is not set

Run it with: silo run --env ENV --task TASK --agent ./THIS_FILE
"""

import json
import os
import urllib.error
import urllib.request

BASE_URL = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1").rstrip("/")
SYSTEM = "Do the task with the tools. When it is done, answer the person in one short text."


def agent(run):
    """Called once for each task."""
    tools = [
        {
            "type": "function",
            "function": {"name": one["name"], "description": one["description"], "parameters": one["input_schema"]},
        }
        for one in run.tools
    ]
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": run.task}]
    while not run.signal.aborted:
        message = complete(messages, tools)
        messages.append(message)
        calls = message.get("tool_calls") or []
        if not calls:
            return {"output": message.get("content") or ""}
        for call in calls:
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": answer(run, call["function"])})


def answer(run, function):
    """What the tool says, as text for the model."""
    try:
        arguments = json.loads(function["arguments"] or "{}")
    except ValueError as wrong:
        return f"The arguments are no JSON: {wrong}"
    return json.dumps(run.call_tool(function["name"], arguments)["output"])


def complete(messages, tools):
    """The model's next message."""
    model = os.environ.get("OPENAI_MODEL")
    if not model:
        raise SystemExit("Set OPENAI_MODEL to the name of a model.")
    body = {"model": model, "messages": messages, "tools": tools}
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', '')}"}
    request = urllib.request.Request(f"{BASE_URL}/chat/completions", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=300) as response:
            return json.load(response)["choices"][0]["message"]
    except urllib.error.HTTPError as wrong:
        raise RuntimeError(f"The model's server said {wrong.code}: {wrong.read().decode(errors='replace')}") from None
