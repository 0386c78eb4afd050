/** Packages the extension with the address of its repository, if that is known.

The address is the variable JAXTUTOR_REPOSITORY, or where the clone came from. The manifest in the
checkout has none, since each clone has its own; so the package is made in a copy.
*/

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const FILES = ["dist", "package.json", "README.md", "LICENSE", ".vscodeignore"];

function address() {
  if (process.env.JAXTUTOR_REPOSITORY) {
    return process.env.JAXTUTOR_REPOSITORY;
  }
  try {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    const origin = execFileSync("git", ["remote", "get-url", "origin"], options).trim();
    return origin.startsWith("https://") ? origin : undefined;
  } catch {
    return undefined; // no clone, or one that came from nowhere
  }
}

execFileSync("npm", ["run", "vscode:prepublish"], { stdio: "inherit" });
const copy = mkdtempSync(join(tmpdir(), "jaxtutor-vscode-"));
try {
  for (const name of FILES) {
    cpSync(name, join(copy, name), { recursive: true });
  }
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const url = address();
  if (url !== undefined) {
    manifest.repository = { type: "git", url, directory: "editors/vscode" };
  }
  delete manifest.scripts["vscode:prepublish"];
  writeFileSync(join(copy, "package.json"), JSON.stringify(manifest, null, 2));
  const vsce = resolve("node_modules", "@vscode", "vsce", "vsce");
  execFileSync(process.execPath, [vsce, "package", "--out", resolve(".")], {
    cwd: copy,
    stdio: "inherit",
  });
} finally {
  rmSync(copy, { recursive: true });
}
