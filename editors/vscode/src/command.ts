/** Says how the language server is started. Imports nothing of VS Code, so that tests can use it. */

export interface Command {
  readonly command: string;
  readonly args: string[];
}

/** Return the command that starts the server, from the setting `jaxtutor.command`. */
export function serverCommand(setting: string | undefined): Command {
  return { command: setting?.trim() || "jaxtutor", args: ["lsp"] };
}
