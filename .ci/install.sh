# shellcheck shell=bash
# Read by .ci/run and .ci/night: how they install, on Debian and as root. Each download is tried again.

try_again() {
  local pause
  for pause in 5 20 60; do
    "$@" && return
    echo "failed, again in $pause s: $*" >&2
    sleep "$pause"
  done
  "$@"
}

# Takes commands, or COMMAND:PACKAGE where Debian's package has another name; installs what is missing.
install_commands() {
  local tool missing=()
  for tool in "$@"; do
    command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}")
  done
  [ "${#missing[@]}" -eq 0 ] || install_debian "${missing[@]}"
}

# Takes a fresh list each time: an old one names files that the mirror no longer has.
install_debian() {
  try_again fetch_debian "$@"
}
fetch_debian() {
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

# Takes the folder of a package.json, and options of npm.
install_npm() {
  try_again npm ci --no-audit --no-fund --prefix "$@"
}

install_python() {
  python3 -m venv "$1/venv"
  try_again "$1/venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes "${@:2}" -r "$1/requirements.txt"
}

# What *.real.ts needs beside Node.js.
install_for_gate() {
  install_commands curl jq python3 script:bsdutils setpriv:util-linux mkfs.ext4:e2fsprogs mosquitto ip:iproute2 ss:iproute2 ping:iputils-ping sysctl:procps \
    chromium chromium-headless-shell systemd-analyze:systemd systemd-notify:systemd lintian shellcheck man:man-db
}

# Waits for all that runs side by side, and fails if one of them failed.
wait_for() {
  local job failed=0
  for job in "$@"; do wait "$job" || failed=1; done
  [ "$failed" -eq 0 ] || { echo "$0: a step that ran side by side with others failed: see above" >&2; return 1; }
}
