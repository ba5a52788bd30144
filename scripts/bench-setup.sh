#!/usr/bin/env bash
# Installs the peers that the benches are measured against, at pinned versions, into a cache outside the repo.
# Safe to run again: npm leaves alone what is there.
set -euo pipefail

cache="${SALLYPORT_CACHE:-$HOME/.cache/sallyport}/bench"
mkdir -p "$cache"
[ -e "$cache/package.json" ] || echo '{ "private": true }' >"$cache/package.json"

npm install --prefix "$cache" --no-audit --no-fund --no-package-lock --ignore-scripts --save-exact \
  @anthropic-ai/sandbox-runtime@0.0.83 \
  @cedar-policy/cedar-wasm@4.13.0 \
  casbin@5.51.1 \
  mcp-proxy@6.7.19 \
  supergateway@4.0.0

missing=()
need() { # program package
  command -v "$1" >/dev/null 2>&1 || missing+=("$2")
}
need squid squid-openssl
need mitmdump mitmproxy
need openssl openssl
need socat socat
need rg ripgrep
need bwrap bubblewrap
if [ "${#missing[@]}" -gt 0 ]; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "bench:setup: missing: ${missing[*]}. Install these packages with your system's package manager." >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q
  apt-get install -y -q --no-install-recommends "${missing[@]}"
fi
echo "bench:setup: the peers are in $cache"
