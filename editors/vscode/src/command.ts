/** Says how the language server is started, and with which options. Imports nothing of VS Code, so that tests can use it. */

export interface Command {
  readonly command: string;
  readonly args: string[];
}

/** Return the command that starts the server, from the setting `jaxtutor.command`. */
export function serverCommand(setting: string | undefined): Command {
  return { command: setting?.trim() || "jaxtutor", args: ["lsp"] };
}

export interface Options {
  readonly folders: readonly string[];
  readonly inlayHints: boolean;
}

/** Return the options of the server, from the settings of the same names. */
export function serverOptions(folders?: readonly string[], inlayHints?: boolean): Options {
  return { folders: folders ?? [], inlayHints: inlayHints ?? true };
}
