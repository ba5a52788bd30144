#!/usr/bin/env bash
# Installs the peers that the benches are measured against, at pinned versions, into a cache outside the repo.
# Safe to run again: npm leaves alone what is there.
set -euo pipefail

cache="${SALLYPORT_CACHE:-$HOME/.cache/sallyport}/bench"
mkdir -p "$cache"
[ -e "$cache/package.json" ] || echo '{ "private": true }' >"$cache/package.json"

npm install --prefix "$cache" --no-audit --no-fund --no-package-lock --ignore-scripts --save-exact \
  @cedar-policy/cedar-wasm@4.13.0 \
  casbin@5.51.1
echo "bench:setup: the peers are in $cache"
