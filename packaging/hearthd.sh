#!/bin/sh
# When root runs it, a second process as the user of the hub does everything that touches the state.
exec /usr/bin/node /usr/lib/hearthd/current/hearthd.mjs "$@"
