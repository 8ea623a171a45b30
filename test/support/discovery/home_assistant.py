"""The real Home Assistant with its MQTT integration, for tests: home_assistant.py BROKER_PORT

Each line on stdin is a question in JSON, each line on stdout its answer. Its messages of warnings are part of them.
Nothing but loopback is used, and nothing of Home Assistant but its core and its MQTT integration runs.
"""
import asyncio
import json
import logging
import shutil
import sys
import tempfile
from pathlib import Path


class Warnings(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        text = record.getMessage()
        if record.exc_info and record.exc_info[1]:
            text += f" | {type(record.exc_info[1]).__name__}: {record.exc_info[1]}"
        self.lines.append(f"{record.name}: {text}"[:500])


async def start(folder, port):
    from homeassistant import block_async_io, bootstrap, runner

    block_async_io.enable = lambda: None
    bootstrap.DEFAULT_INTEGRATIONS = set()
    bootstrap.CRITICAL_INTEGRATIONS = set()
    (folder / "configuration.yaml").write_text(
        "homeassistant:\n  name: Test\n  latitude: 52.0\n  longitude: 5.0\n  elevation: 0\n  unit_system: metric\n"
        "  time_zone: UTC\n  currency: EUR\n  country: NL\nlogger:\n  default: warning\n"
    )
    config = runner.RuntimeConfig(config_dir=str(folder), skip_pip=True, log_file=str(folder / "ha.log"))
    hass = await bootstrap.async_setup_hass(config)
    await hass.async_start()
    warnings = Warnings()
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler, logging.StreamHandler) and not isinstance(handler, logging.FileHandler):
            root.removeHandler(handler)
    root.addHandler(warnings)
    flow = hass.config_entries.flow
    result = await flow.async_init("mqtt", context={"source": "user"})
    while result["type"].value in ("form", "menu"):
        if result["type"].value == "menu":
            result = await flow.async_configure(result["flow_id"], {"next_step_id": "broker"})
            continue
        asked = {str(key) for key in result["data_schema"].schema}
        given = {"broker": "127.0.0.1", "port": port}
        result = await flow.async_configure(result["flow_id"], {k: v for k, v in given.items() if k in asked})
    await hass.async_block_till_done()
    return hass, warnings


def entities(hass):
    from homeassistant.helpers import device_registry, entity_registry
    from homeassistant.helpers.json import json_dumps

    devices = device_registry.async_get(hass)
    found = []
    for entry in entity_registry.async_get(hass).entities.values():
        if entry.platform != "mqtt":
            continue
        state = hass.states.get(entry.entity_id)
        device = devices.async_get(entry.device_id) if entry.device_id else None
        found.append(
            {
                "entity_id": entry.entity_id,
                "unique_id": entry.unique_id,
                "domain": entry.domain,
                "device": device.name if device else None,
                "area": device.suggested_area if device else None,
                "state": state.state if state else None,
                "attributes": json.loads(json_dumps(dict(state.attributes))) if state else {},
            }
        )
    return found


async def answer(hass, warnings, question):
    if "call" in question:
        domain, service = question["call"].split(".")
        data = {"entity_id": question["entity"], **question.get("data", {})}
        await hass.services.async_call(domain, service, data, blocking=True)
        return {}
    if "warnings" in question:
        return {"warnings": warnings.lines}
    return {"entities": entities(hass)}


async def main():
    folder = Path(tempfile.mkdtemp(prefix="hearthd-ha-"))
    try:
        hass, warnings = await start(folder, int(sys.argv[1]))
        from homeassistant.const import __version__

        print(json.dumps({"ready": True, "version": __version__}), flush=True)
        loop = asyncio.get_running_loop()
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            try:
                said = await answer(hass, warnings, json.loads(line))
            except Exception as error:
                said = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(said), flush=True)
        await hass.async_stop(force=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


asyncio.run(main())
