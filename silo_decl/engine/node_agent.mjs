// Runs an agent written as an ES module: reads and writes the line protocol, and calls its default export.
import { createReadStream, writeSync } from "node:fs";
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
let nextCall = 0;

function stop(reason) {
  stopped = reason;
  controller.abort(new RunStopped(reason));
  for (const { reject } of waiting.values()) reject(new RunStopped(reason));
  waiting = new Map();
}

function callTool(name, input = {}) {
  if (stopped !== null) {
    return Promise.reject(new RunStopped(stopped));
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

function plainOutput(value) {
  if (value !== null && typeof value === "object" && !Array.isArray(value) && "output" in value) value = value.output;
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("what the agent returned cannot be written as JSON");
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
    const value = await agent({ task: message.task, tools: message.tools, callTool, signal: controller.signal });
    send({ type: "output", output: plainOutput(value) });
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

const lines = createInterface({ input: createReadStream(null, { fd: readFd }) });
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
