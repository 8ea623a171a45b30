#!/bin/sh
# As root it starts a second process of itself as the user of the hub, for all that touches the state.
exec /usr/bin/node /usr/lib/hearthd/hearthd.mjs "$@"
