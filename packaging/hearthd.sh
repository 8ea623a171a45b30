#!/bin/sh
set -e
# Root works as the user of the hub, so that what it makes belongs to the hub, but reads and writes what root can, and
# sees who holds a port. Node.js could change its user itself, but Debian's has io_uring, which bars it (CVE-2024-22017).
as_user=
if [ "$(id -u)" -eq 0 ] && id -u hearthd >/dev/null 2>&1; then
    rights=+dac_override,+dac_read_search,+net_bind_service,+sys_ptrace
    as_user="setpriv --reuid hearthd --regid hearthd --clear-groups --inh-caps $rights --ambient-caps $rights"
fi
# shellcheck disable=SC2086 # Several words, or none.
exec $as_user /usr/bin/node /usr/lib/hearthd/hearthd.mjs "$@"
