/** Connects VS Code to `jaxtutor lsp`, which diagnoses Python files when they are saved. */

import * as vscode from "vscode";
import {
  DidSaveTextDocumentNotification,
  LanguageClient,
  type LanguageClientOptions,
} from "vscode-languageclient/node";

import { serverCommand, serverOptions } from "./command";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const settings = vscode.workspace.getConfiguration("jaxtutor");
  const server = serverCommand(settings.get("command"));
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file", language: "python" }],
    initializationOptions: serverOptions(settings.get("folders"), settings.get("inlayHints")),
  };
  client = new LanguageClient("jaxtutor", "jaxtutor", server, options);
  context.subscriptions.push(vscode.commands.registerCommand("jaxtutor.check", check));
  try {
    await client.start();
  } catch {
    const advice = "Install it with: pip install 'jaxtutor[lsp]', or set jaxtutor.command.";
    void vscode.window.showErrorMessage(`'${server.command} lsp' does not start. ${advice}`);
  }
}

export async function deactivate(): Promise<void> {
  if (client?.isRunning()) {
    await client.stop();
  }
}

/** Save the file of the active editor, which the server then runs. */
async function check(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || !client?.isRunning()) {
    return;
  }
  if (document.isDirty) {
    await document.save();
    return;
  }
  // Saving an unchanged file sends nothing.
  const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
  await client.sendNotification(DidSaveTextDocumentNotification.type, { textDocument });
}
