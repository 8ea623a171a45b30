#!/usr/bin/python3
"""Brings an electricity meter with Modbus TCP (Eastron SDM120, SDM230 or SDM630 behind a gateway) into the hub.

Set-up, on any computer of the home, for example the one of the hub:
  1. apt install python3-pymodbus
  2. On the page of the hub, make an API token that may "Bring in devices of its own", with the short name "meter".
  3. Write the token into a file that only you can read, for example /etc/modbus-meter.token.
  4. HUB=http://hearthd.local TOKEN_FILE=/etc/modbus-meter.token METER=192.168.1.40:502 python3 modbus-meter.py
  5. Let systemd start it: a unit with these as Environment=, this file as ExecStart= and Restart=always.

A script that is silent for lease_s seconds counts as gone: its devices are then offline, until it reports again.
"""
import json
import os
import struct
import sys
import time
import urllib.error
import urllib.request

from pymodbus.client import ModbusTcpClient
from pymodbus.exceptions import ModbusException

HUB = os.environ.get("HUB", "http://localhost:8080")
METER_HOST, _, METER_PORT = os.environ.get("METER", "127.0.0.1:502").partition(":")
UNIT = int(os.environ.get("UNIT", "1"))
EVERY_S = float(os.environ.get("EVERY_S", "10"))

# The input register of each value, a 32-bit float in two registers. The names and units are those of the vocabulary:
# GET /api/v1/vocabulary has them all.
REGISTERS = {
    "voltage": 0x0000,
    "current": 0x0006,
    "power": 0x000C,
    "frequency": 0x0046,
    "energy": 0x0048,
    "energy_returned": 0x004A,
}
DEVICE = {
    "name": "Electricity meter",
    "type": "electrical_sensor",
    "features": [
        {"key": word, "capability": word, "kind": "state", "value_type": "number"} for word in REGISTERS
    ],
}


def ask(method, path, body):
    with open(os.environ["TOKEN_FILE"], encoding="ascii") as file:
        token = file.read().strip()
    request = urllib.request.Request(
        f"{HUB}/api/v1/provider/meter{path}",
        method=method,
        data=json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def read_meter(client):
    """The values of the meter, or None if it does not answer."""
    try:
        if not client.connect():
            return None
        values = {}
        for word, address in REGISTERS.items():
            answer = client.read_input_registers(address, 2, slave=UNIT)
            if answer.isError():
                return None
            (value,) = struct.unpack(">f", struct.pack(">HH", *answer.registers))
            values[word] = round(value, 3)
        return values
    except (ModbusException, OSError, struct.error):
        client.close()
        return None


def report(values):
    # The hub says what it took: it takes nothing of a device that somebody removed, or of a value that does not fit.
    one = {"device": "sdm", "availability": "offline"} if values is None else {"device": "sdm", "values": values}
    answer = ask("POST", "/state", {"reports": [one]})
    for refused in answer["refused"]:
        print(f"refused: {refused['errors']}", file=sys.stderr)
    return answer["taken"] == 1


def main():
    client = ModbusTcpClient(METER_HOST, port=int(METER_PORT or 502), timeout=3)
    is_declared = False
    while True:
        try:
            # Both calls change nothing if nothing has changed.
            if not is_declared:
                ask("PUT", "", {"name": "Modbus meter", "lease_s": 60})
                ask("PUT", "/device/sdm", DEVICE)
            is_declared = report(read_meter(client))
        except (urllib.error.URLError, OSError, ValueError) as error:
            # The hub restarts, or the network is away: the next turn tries again.
            is_declared = False
            print(f"the hub did not take the report: {error}", file=sys.stderr)
        time.sleep(EVERY_S)


if __name__ == "__main__":
    main()
