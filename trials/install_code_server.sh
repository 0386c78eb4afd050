#!/bin/sh
# Installs code-server, a VS Code that runs in a browser, for trials/vscode.py: FOLDER gets it.
#
# Its own install scripts download ripgrep, which the trial does not need, so they are left out, and
# the modules in C++ are compiled. It needs node 20 with its headers (NODE_HEADERS, /usr if not set),
# a compiler for C++, and Debian's libkrb5-dev, libsecret-1-dev, libx11-dev and libxkbfile-dev.
set -eu
export npm_config_nodedir="${NODE_HEADERS:-/usr}"
mkdir -p "$1"
cd "$1"
npm init --yes >/dev/null
npm install --ignore-scripts code-server@4.100.3
rebuild() { npm rebuild --dangerously-allow-all-scripts --build-from-source "$@"; }
rebuild argon2
cd node_modules/code-server/lib/vscode
npm install --ignore-scripts --omit=dev
(cd extensions && npm install --ignore-scripts --omit=dev)
rebuild @vscode/deviceid @vscode/spdlog @parcel/watcher kerberos native-watchdog
