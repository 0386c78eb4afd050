/** Tests the server by its protocol, as the extension talks to it, without VS Code. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import {
  CodeActionRequest,
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  ExecuteCommandRequest,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  InlayHintRequest,
  type MarkupContent,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  ShowMessageRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
  WorkDoneProgress,
  type WorkDoneProgressBegin,
  WorkDoneProgressCreateRequest,
} from "vscode-languageserver-protocol/node";

import { serverCommand, serverOptions } from "../src/command";

const FAILING = `import jax
import jax.numpy as jnp


@jax.jit
def keep(x):
    if x.sum() > 0:
        return x
    return -x


if __name__ == "__main__":
    print(keep(jnp.arange(3.0)))
`;
const DROPPED = "import jax.numpy as jnp\n\ntable = jnp.zeros(3)\ntable.at[0].set(1.0)\nprint(table)\n";
const PACKAGE = JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8"));

const folder = mkdtempSync(join(tmpdir(), "jaxtutor-"));
const file = join(folder, "train.py");
const uri = pathToFileURL(file).href;
const questions: string[] = [];
const published: Diagnostic[][] = [];
const progress: string[] = [];
let answer = "Run";
let arrived: () => void = () => {};
let server: ChildProcess;
let editor: ProtocolConnection;

/** Wait for the next diagnostics of the file. */
async function nextDiagnostics(): Promise<Diagnostic[]> {
  while (published.length === 0) {
    await new Promise<void>((resolve) => {
      arrived = resolve;
    });
  }
  return published.shift() ?? [];
}

async function save(text: string, version: number): Promise<void> {
  writeFileSync(file, text);
  const textDocument = { uri, languageId: "python", version, text };
  await editor.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
  await editor.sendNotification(DidSaveTextDocumentNotification.type, { textDocument: { uri } });
}

function apply(text: string, edits: readonly TextEdit[]): string {
  const lines = text.split(/(?<=\n)/);
  for (const { range, newText } of edits.toReversed()) {
    lines.splice(range.start.line, range.end.line - range.start.line, newText);
  }
  return lines.join("");
}

before(() => {
  const { command, args } = serverCommand(process.env.JAXTUTOR_COMMAND);
  const env = { ...process.env, JAXTUTOR_HOME: join(folder, "home") };
  server = spawn(command, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  assert(server.stdout !== null && server.stdin !== null);
  editor = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  editor.onRequest(ShowMessageRequest.type, ({ message, actions }) => {
    questions.push(message);
    return actions?.find(({ title }) => title === answer) ?? null;
  });
  editor.onRequest(WorkDoneProgressCreateRequest.type, ({ token }) => {
    editor.onProgress(WorkDoneProgress.type, token, (said) => {
      progress.push(said.kind === "begin" ? (said as WorkDoneProgressBegin).title : said.kind);
    });
  });
  editor.onNotification(PublishDiagnosticsNotification.type, (given) => {
    published.push(given.diagnostics);
    arrived();
  });
  editor.listen();
});

after(() => {
  editor.dispose();
  server.kill();
  rmSync(folder, { recursive: true });
});

test("the server starts with the features that the extension shows", async () => {
  const { capabilities } = await editor.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: { window: { workDoneProgress: true } },
    initializationOptions: serverOptions([], true),
  });
  await editor.sendNotification(InitializedNotification.type, {});
  assert(capabilities.hoverProvider);
  assert(capabilities.codeActionProvider);
  assert(capabilities.codeLensProvider);
  assert(capabilities.inlayHintProvider);
  const [forget] = capabilities.executeCommandProvider?.commands ?? [];
  const contributed = PACKAGE.contributes.commands.map((it: { command: string }) => it.command);
  assert(contributed.includes(forget));
});

test("a text is linted while one types, without a question", async () => {
  const textDocument = { uri, languageId: "python", version: 0, text: "" };
  await editor.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
  await editor.sendNotification(DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 1 },
    contentChanges: [{ text: DROPPED }],
  });
  const [found] = await nextDiagnostics();
  assert.equal(found?.code, "at-set-result-dropped");
  assert.equal(questions.length, 0);
  await editor.sendNotification(DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: FAILING }],
  });
  assert.deepEqual(await nextDiagnostics(), []);
});

test("a saved script gets a diagnostic, a page and a fix that works, after consent", async () => {
  await save(FAILING, 1);
  const [found] = await nextDiagnostics();
  assert(found !== undefined);
  assert.equal(found.code, "traced-bool-in-if");
  assert.deepEqual(found.range.start, { line: 6, character: 7 });
  assert.equal(questions.length, 1);
  assert.match(questions[0] ?? "", /runs the programs in/);

  const textDocument = { uri };
  const hover = await editor.sendRequest(HoverRequest.type, {
    textDocument,
    position: found.range.start,
  });
  const page = (hover?.contents as MarkupContent).value;
  assert.match(page, /^# traced-bool-in-if/);
  assert.match(page, /`x\.sum\(\) > 0` is traced/); // what is said of this program
  const everywhere = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  const hints = await editor.sendRequest(InlayHintRequest.type, { textDocument, range: everywhere });
  assert.deepEqual(
    hints?.map(({ position, label }) => [position.line, label]),
    [[5, ": float32[3]"]],
  );

  await nextDiagnostics(); // published again once a fix was tried
  const actions = await editor.sendRequest(CodeActionRequest.type, {
    textDocument,
    range: found.range,
    context: { diagnostics: [found] },
  });
  const action = actions?.[0];
  assert(action !== undefined && "edit" in action);
  const fixed = apply(FAILING, action.edit?.changes?.[uri] ?? []);
  assert.match(fixed, /jnp\.where/);

  await save(fixed, 2);
  assert.deepEqual(await nextDiagnostics(), []);
  assert.equal(questions.length, 1);
  assert.deepEqual(progress.slice(0, 2), ["Running train.py", "end"]);
});

test("the server asks again once the answers are forgotten", async () => {
  answer = "Not here";
  await editor.sendRequest(ExecuteCommandRequest.type, { command: "jaxtutor.forgetConsent" });
  await save(FAILING, 3);
  while (questions.length < 2) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await editor.sendRequest(ExecuteCommandRequest.type, { command: "jaxtutor.forgetConsent" });
});

test("the server ends after shutdown and exit", async () => {
  const ended = once(server, "exit");
  await editor.sendRequest(ShutdownRequest.type);
  await editor.sendNotification(ExitNotification.type);
  assert.deepEqual(await ended, [0, null]);
});

test("the problem matcher reads a line of --format short", () => {
  const [{ pattern }] = PACKAGE.contributes.problemMatchers;
  const line = "src/a b.py:7:5: error: `x > 0` is traced: not known. [traced-bool-in-if]";
  const [, ...read] = new RegExp(pattern.regexp).exec(line) ?? [];
  const code = "traced-bool-in-if";
  assert.deepEqual(read, ["src/a b.py", "7", "5", "error", "`x > 0` is traced: not known.", code]);
  assert.equal(new RegExp(pattern.regexp).exec("a.py:1:1: error: Wrong answer")?.[6], undefined);
});

test("the command defaults to jaxtutor on the path", () => {
  assert.deepEqual(serverCommand("  "), { command: "jaxtutor", args: ["lsp"] });
  assert.equal(serverCommand("/venv/bin/jaxtutor").command, "/venv/bin/jaxtutor");
});

test("the options of the server are the settings, with their defaults", () => {
  const { properties } = PACKAGE.contributes.configuration;
  const defaults = {
    folders: properties["jaxtutor.folders"].default,
    inlayHints: properties["jaxtutor.inlayHints"].default,
  };
  assert.deepEqual(serverOptions(), defaults);
  assert.deepEqual(serverOptions(["/a"], false), { folders: ["/a"], inlayHints: false });
});

test("the bundle is one file, with the licence of the project", () => {
  const root = join(__dirname, "..", "..");
  assert.match(readFileSync(join(root, ".vscodeignore"), "utf8"), /^!dist\/extension\.js$/m);
  const licence = readFileSync(join(root, "LICENSE"), "utf8");
  assert.equal(licence, readFileSync(join(root, "..", "..", "LICENSE"), "utf8"));
});
