#!/usr/bin/env bash
# Installs what the tests need beyond Node, on Debian, as root. Safe to run again: it installs only what is missing.
set -euo pipefail

cd "$(dirname "$0")/.."
# Packages that only tests need, outside the repo: one folder for each lock file.
cached() { # name of a folder below tools/, more flags for npm
  local folder
  folder="${SALLYPORT_CACHE:-$HOME/.cache/sallyport}/$1/$(sha256sum "tools/$1/package-lock.json" | cut -c1-16)"
  [ -e "$folder/node_modules/.package-lock.json" ] && return
  echo "test:setup: installing tools/$1"
  mkdir -p "$folder"
  cp "tools/$1/package.json" "tools/$1/package-lock.json" "$folder/"
  npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund "${@:2}"
}
cached clients
cached mcp # the official conformance suite and reference server
cached partners # agents that people use: over 1 GB together
cached agent-sdk --omit=optional # without its own copy of Claude Code: the one above serves it

missing=()
need() { # program package
  command -v "$1" >/dev/null 2>&1 || missing+=("$2")
}
need aws awscli
need bwrap bubblewrap
need curl curl
need direnv direnv
need git git
need make make
need pip3 python3-pip
need ps procps
need python3 python3
need sqlite3 sqlite3
need ssh openssh-client
need ssh-audit ssh-audit
need sshfs sshfs
need tmux tmux
python3 -c 'import venv' >/dev/null 2>&1 || missing+=(python3-venv)
[ -e /usr/lib/openssh/sftp-server ] || missing+=(openssh-sftp-server) # not a whole server, which would listen
python3 -c 'import requests' >/dev/null 2>&1 || missing+=(python3-requests)

if [ "${#missing[@]}" -eq 0 ]; then
  echo "test:setup: everything is there"
  exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "test:setup: missing: ${missing[*]}. Install these packages with your system's package manager." >&2
  exit 1
fi
echo "test:setup: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -y -q --no-install-recommends "${missing[@]}"
