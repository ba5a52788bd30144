#!/usr/bin/env bash
# Installs what the tests need beyond Node, on Debian, as root. Safe to run again: it installs only what is missing.
set -euo pipefail

cd "$(dirname "$0")/.."
for part in parts/*/; do
  [ -e "$part/node_modules/.package-lock.json" ] && [ ! "$part/package-lock.json" -nt "$part/node_modules/.package-lock.json" ] && continue
  echo "test:setup: installing $part"
  npm ci --prefix "$part" --ignore-scripts --no-audit --no-fund
done

missing=()
need() { # program package
  command -v "$1" >/dev/null 2>&1 || compgen -G "/usr/lib/postgresql/*/bin/$1" >/dev/null || missing+=("$2")
}
need initdb postgresql
need bwrap bubblewrap
need tmux tmux
need aws awscli

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
# The packaged cluster is not started: each test makes its own and throws it away.
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
apt-get install -y -q --no-install-recommends "${missing[@]}"
