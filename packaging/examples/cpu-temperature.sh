#!/bin/sh
# Reports the temperature of this computer's processor to the hub, once a minute.
#
# Set-up, on any Linux computer of the home that has curl:
#   1. On the page of the hub, make an API token that may "Bring in devices of its own", with the short name "cpu".
#   2. Write the token into a file that only you can read, for example /etc/cpu-temperature.token.
#   3. HUB=http://hearthd.local TOKEN_FILE=/etc/cpu-temperature.token sh cpu-temperature.sh
#   4. Let systemd start it: a unit with these two as Environment=, this file as ExecStart= and Restart=always.
#
# A script that is silent for lease_s seconds counts as gone: its devices are then offline, until it reports again.
hub=${HUB:-http://localhost:8080}
: "${TOKEN_FILE:?is the file with the API token}"
sensor=${SENSOR:-/sys/class/thermal/thermal_zone0/temp}

# The token goes through a pipe: other users of this computer can read the arguments of a program.
ask() {
  printf 'header = "Authorization: Bearer %s"\n' "$(cat "$TOKEN_FILE")" |
    curl --config - --silent --show-error --fail --max-time 20 --request "$1" \
      --header 'Content-Type: application/json' --data "$3" "$hub/api/v1/provider/cpu$2"
}
declare_device() {
  ask PUT '' '{"name": "Processor", "lease_s": 180}' >/dev/null &&
    ask PUT /device/cpu '{"name": "Processor", "type": "temperature_sensor", "features": [
      {"key": "temperature", "capability": "temperature", "kind": "state", "value_type": "number"}]}' >/dev/null
}
report() {
  celsius=$(awk '{ printf "%.1f", $1 / 1000 }' "$sensor") &&
    ask POST /state "{\"reports\": [{\"device\": \"cpu\", \"values\": {\"temperature\": $celsius}}]}" |
    grep -q '"taken":1'
}

# A hub that restarts, or a person who removed the device, is no reason to end: declare it again and go on.
while :; do
  report || { declare_device && report; } || echo 'the hub did not take the report: the next one is due as usual' >&2
  sleep "${EVERY_S:-60}"
done
