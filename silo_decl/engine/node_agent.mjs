// Runs an agent written as an ES module: reads and writes the line protocol, and calls its default export.
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const readFd = Number(process.env.SILO_READ_FD);
const writeFd = Number(process.env.SILO_WRITE_FD);
const file = process.argv[2];

class RunStopped extends Error {
  constructor(reason) {
    super(reason);
    this.name = "RunStopped";
    this.reason = reason;
  }
}

function send(message) {
  const bytes = Buffer.from(JSON.stringify(message) + "\n");
  let sent = 0;
  while (sent < bytes.length) {
    try {
      sent += writeSync(writeFd, bytes, sent);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function described(error) {
  if (error instanceof Error) return { message: `${error.name}: ${error.message}`, trace: error.stack };
  return { message: String(error), trace: "" };
}

function fail(error) {
  const { message, trace } = described(error);
  console.error(trace || message);
  send({ type: "error", message });
}

let waiting = new Map();
let controller = new AbortController();
let stopped = null;
let rollout = 0;
let nextCall = 0;

function stop(reason) {
  stopped = reason;
  controller.abort(new RunStopped(reason));
  for (const { reject } of waiting.values()) reject(new RunStopped(reason));
  waiting = new Map();
}

// `mine` is the rollout the caller belongs to: what outlives it does not call in the next one.
function call(mine, name, input = {}) {
  const over = mine === rollout ? stopped : "completed";
  if (over !== null) {
    return Promise.reject(new RunStopped(over));
  }
  const callId = `c${++nextCall}`;
  return new Promise((resolve, reject) => {
    waiting.set(callId, { resolve, reject });
    try {
      send({ type: "call", callId, name, input });
    } catch (error) {
      waiting.delete(callId);
      reject(error);
    }
  });
}

// JSON.stringify makes null of NaN and {} of a Set; an output that is not what was returned would be graded.
function strictly(key, value) {
  const kind = value instanceof Map ? "a Map" : value instanceof Set ? "a Set" : typeof value;
  const lost = kind === "number" ? !Number.isFinite(value) : !["boolean", "string", "object", "undefined"].includes(kind);
  if (lost) throw new TypeError(`what the agent returned cannot be written as JSON: ${kind} ${String(value)}`);
  return value;
}

function plainOutput(value) {
  if (value !== null && typeof value === "object" && !Array.isArray(value) && "output" in value) value = value.output;
  if (value === undefined) return null;
  JSON.stringify(value, strictly);
  return value;
}

let agent = null;

async function run(message) {
  waiting = new Map();
  controller = new AbortController();
  stopped = null;
  try {
    if (agent === null) {
      const module = await import(pathToFileURL(file).href);
      agent = module.default;
    }
    if (typeof agent !== "function") throw new TypeError("the file has no function as its default export");
    const callTool = call.bind(null, rollout);
    const value = await agent({ task: message.task, tools: message.tools, callTool, signal: controller.signal });
    send({ type: "output", output: plainOutput(value) });
    rollout += 1;
  } catch (error) {
    if (error instanceof RunStopped || (stopped !== null && error === controller.signal.reason)) {
      send({ type: "output", output: null });
    } else {
      fail(error);
    }
  }
}

process.on("unhandledRejection", (error) => {
  if (!(error instanceof RunStopped)) {
    fail(error);
    process.exit(1);
  }
});

// A file stream would read in a thread that keeps the process from ending.
const lines = createInterface({ input: new Socket({ fd: readFd, readable: true, writable: false }) });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "start") {
    run(message);
  } else if (message.type === "result") {
    const call = waiting.get(message.callId);
    waiting.delete(message.callId);
    const { output, is_error } = message;
    call?.resolve(is_error ? { output, is_error: true, isError: true } : { output });
  } else if (message.type === "stop") {
    stop(message.reason);
  }
});
lines.on("close", () => process.exit(0));
