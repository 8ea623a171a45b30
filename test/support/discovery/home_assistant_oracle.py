"""Asks the real Home Assistant what it makes of MQTT discovery messages, and what its service calls publish.

ha_oracle.py ask CASES.jsonl[.gz] [ANSWERS.jsonl[.gz]]   every case of the file, in one Home Assistant (bulk)
ha_oracle.py serve [--port 8123]                         a Home Assistant with REST API and a token, until ^C
Options: --broker HOST:PORT (default: starts a mosquitto of its own on a free port), --config DIR, --log FILE

A case is one JSON object a line (README.md has the layout). Nothing but loopback is used.
"""
import argparse
import asyncio
import base64
import copy
import gzip
import json
import logging
import os
import re
import resource
import shutil
import signal as signals
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORD_TIME = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
MOMENTS = {"event", "button", "scene", "notify", "image"}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def lines_of(path):
    opened = gzip.open(path, "rt") if str(path).endswith(".gz") else open(path)
    with opened as file:
        return [json.loads(line) for line in file if line.strip()]


def write_lines(path, rows):
    text = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    if str(path) == "-":
        sys.stdout.write(text)
    elif str(path).endswith(".gz"):
        with open(path, "wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as file:
            file.write(text.encode())
    else:
        Path(path).write_text(text)


class Broker:
    def __init__(self, folder):
        self.port = free_port()
        conf = Path(folder) / "mosquitto.conf"
        conf.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n")
        self.process = subprocess.Popen([shutil.which("mosquitto") or "/usr/sbin/mosquitto", "-c", str(conf)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise SystemExit("mosquitto did not start")

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Logs(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        try:
            text = record.getMessage()
        except Exception as error:
            text = f"{record.msg} ({error})"
        if record.exc_info and record.exc_info[1]:
            text += f" | {type(record.exc_info[1]).__name__}: {record.exc_info[1]}"
        self.lines.append((record.name, record.levelname, text))


class Oracle:
    """One Home Assistant with its mqtt integration, and a client of our own at the same broker."""

    async def start(self, folder, host, port, http_port, api):
        from homeassistant import block_async_io, bootstrap, runner
        block_async_io.enable = lambda: None
        from homeassistant.components.mqtt import client as mqtt_client
        from homeassistant.util import dt as dt_util

        # Only what MQTT needs: no frontend, no recorder, no analytics, no backup.
        bootstrap.DEFAULT_INTEGRATIONS = set()
        bootstrap.CRITICAL_INTEGRATIONS = set()
        # Timing only: subscribe at once instead of collecting for half a second.
        mqtt_client.INITIAL_SUBSCRIBE_COOLDOWN = 0.02
        mqtt_client.SUBSCRIBE_COOLDOWN = 0.02
        mqtt_client.UNSUBSCRIBE_COOLDOWN = 0.02
        folder = Path(folder)
        (folder / "configuration.yaml").write_text(
            "homeassistant:\n  name: Oracle\n  latitude: 52.0\n  longitude: 5.0\n  elevation: 0\n  unit_system: metric\n"
            "  time_zone: UTC\n  currency: EUR\n  country: NL\n"
            f"http:\n  server_host: 127.0.0.1\n  server_port: {http_port}\n" + ("api:\nconfig:\nwebsocket_api:\n" if api else "") + "device_automation:\nlogger:\n  default: warning\n")
        self.hass = await bootstrap.async_setup_hass(runner.RuntimeConfig(config_dir=str(folder), skip_pip=True, log_no_color=True, log_file=str(folder / "ha.log")))
        assert self.hass is not None and not self.hass.config.recovery_mode, "Home Assistant came up in recovery mode"
        await self.hass.async_start()
        self.logs = Logs()
        logging.getLogger().addHandler(self.logs)
        logging.getLogger("homeassistant.components.mqtt.client").addFilter(lambda r: "connection was lost" not in r.getMessage())
        for handler in list(logging.getLogger().handlers):
            if handler is not self.logs and isinstance(handler, logging.StreamHandler) and not isinstance(handler, logging.FileHandler):
                logging.getLogger().removeHandler(handler)
        flow = self.hass.config_entries.flow
        result = await flow.async_init("mqtt", context={"source": "user"})
        while result["type"].value == "form" or result["type"].value == "menu":
            if result["type"].value == "menu":
                result = await flow.async_configure(result["flow_id"], {"next_step_id": "broker"})
                continue
            asked = {str(k) for k in result["data_schema"].schema}
            given = {"broker": host, "port": port}
            assert result["step_id"] == "broker" and not result.get("errors"), f"config flow: {result}"
            result = await flow.async_configure(result["flow_id"], {k: v for k, v in given.items() if k in asked})
        assert result["type"].value == "create_entry", f"config flow: {result}"
        await self.hass.async_block_till_done()
        from homeassistant.components import mqtt
        self.mqtt = mqtt
        for _ in range(200):
            if self.hass.data["mqtt"].client.connected:
                break
            await asyncio.sleep(0.05)
        self.data = self.hass.data["mqtt"]
        self.fired = []
        self.attached = {}
        await self._client(host, port)
        self.seen = 0
        self.sync = asyncio.Event()

        def on_sync(message):
            if int(message.payload) == self.seen:
                self.sync.set()
        await mqtt.async_subscribe(self.hass, "oracle/in", on_sync)
        await asyncio.sleep(0.3)
        await self.settle()
        return self

    async def _client(self, host, port):
        import paho.mqtt.client as paho
        self.heard = []
        loop = asyncio.get_running_loop()
        up = asyncio.Event()
        self.client = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id="oracle")
        self.client.max_inflight_messages_set(0)
        self.client.on_connect = lambda c, *_: c.subscribe("#")
        self.client.on_subscribe = lambda *_: loop.call_soon_threadsafe(up.set)

        def on_message(_c, _u, m):
            loop.call_soon_threadsafe(self.heard.append, (m.topic, m.payload, m.qos, m.retain))
        self.client.on_message = on_message
        self.client.connect(host, port)
        self.client.loop_start()
        await asyncio.wait_for(up.wait(), 10)

    def publish(self, topic, payload, retain=False):
        if isinstance(payload, dict) and list(payload) == ["base64"]:
            payload = base64.b64decode(payload["base64"])
        if not isinstance(payload, (str, bytes)):
            payload = json.dumps(payload, ensure_ascii=False)
        self.client.publish(topic, payload, 0, retain)

    async def settle(self):
        """Everything that we published has been handled and every subscription that followed from it is in force."""
        for _ in range(2):
            self.seen += 1
            self.sync.clear()
            self.client.publish("oracle/in", str(self.seen))
            await asyncio.wait_for(self.sync.wait(), 60)
            await self.hass.async_block_till_done()
            client = self.data.client
            end = time.monotonic() + 30
            while time.monotonic() < end:
                if not client._pending_subscriptions and not client._pending_unsubscribes and not client._pending_operations:
                    await asyncio.sleep(0.06)
                    if not client._pending_subscriptions and not client._pending_operations:
                        break
                await asyncio.sleep(0.02)
            await self.hass.async_block_till_done()

    async def heard_all(self):
        """Everything that Home Assistant published until now is in self.heard."""
        mark = f"m{time.monotonic_ns()}"
        await self.mqtt.async_publish(self.hass, "oracle/out", mark)
        end = time.monotonic() + 20
        while time.monotonic() < end and not any(t == "oracle/out" and p.decode() == mark for t, p, _q, _r in self.heard):
            await asyncio.sleep(0.005)

    # What Home Assistant has now, by discovery topic and by unique id.

    def live(self):
        from homeassistant.components.mqtt.const import ATTR_DISCOVERY_TOPIC
        found = {}
        for entity_id, info in self.data.debug_info_entities.items():
            if info.get("discovery_data"):
                found.setdefault(info["discovery_data"][ATTR_DISCOVERY_TOPIC], []).append(entity_id)
        return found

    def state(self, entity_id):
        state = self.hass.states.get(entity_id)
        if state is None:
            return None
        from homeassistant.helpers.json import json_dumps
        attributes = json.loads(json_dumps(dict(state.attributes)))
        attributes.pop("friendly_name", None)
        attributes.pop("access_token", None)
        if "token=" in str(attributes.get("entity_picture")):
            attributes.pop("entity_picture")
        value = state.state
        if entity_id.split(".")[0] in MOMENTS and WORD_TIME.match(value):
            value = "<moment>"
        return {"state": value, "attributes": attributes}

    def registered(self, entity_id):
        from homeassistant.helpers import device_registry, entity_registry
        entry = entity_registry.async_get(self.hass).async_get(entity_id)
        if entry is None:
            return None
        row = {"unique_id": entry.unique_id, "name": entry.original_name, "has_entity_name": entry.has_entity_name, "category": entry.entity_category and entry.entity_category.value, "device_class": entry.original_device_class, "disabled": bool(entry.disabled_by), "unit": entry.unit_of_measurement, "icon": entry.original_icon}
        row = {k: v for k, v in row.items() if v not in (None, False)}
        device = device_registry.async_get(self.hass).async_get(entry.device_id) if entry.device_id else None
        if device:
            said = {"name": device.name, "manufacturer": device.manufacturer, "model": device.model, "model_id": getattr(device, "model_id", None), "sw_version": device.sw_version, "hw_version": device.hw_version, "serial_number": device.serial_number, "suggested_area": getattr(device, "suggested_area", None), "configuration_url": device.configuration_url, "identifiers": sorted(i[1] for i in device.identifiers), "connections": sorted(list(c) for c in device.connections)}
            row["device"] = {k: v for k, v in said.items() if v}
        return row

    def triggers_of(self, topics):
        from homeassistant.components.mqtt.const import ATTR_DISCOVERY_TOPIC
        rows = []
        for key, trigger in self.data.device_triggers.items():
            if trigger.discovery_data and trigger.discovery_data[ATTR_DISCOVERY_TOPIC] in topics:
                rows.append((key, trigger))
        return rows

    async def attach(self, topics):
        """Listens to every new device trigger, as an automation would."""
        from homeassistant.components.mqtt import device_trigger
        for key, trigger in self.triggers_of(topics):
            if key in self.attached:
                continue
            said = {"type": trigger.type, "subtype": trigger.subtype, "topic": trigger.discovery_data["discovery_topic"] if isinstance(trigger.discovery_data, dict) and "discovery_topic" in trigger.discovery_data else None}

            def action(variables, _context=None, said=said):
                self.fired.append({"type": said["type"], "subtype": said["subtype"], "payload": variables["trigger"].get("payload"), "topic": said["topic"]})
            self.attached[key] = await device_trigger.async_attach_trigger(self.hass, {"platform": "device", "domain": "mqtt", "device_id": trigger.device_id, "type": trigger.type, "subtype": trigger.subtype}, action, {"domain": "oracle", "name": "oracle", "home_assistant_start": False, "variables": {}, "trigger_data": {"id": "0", "idx": "0", "alias": None}})


def keys_in(value, names, found):
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in names and isinstance(inner, str):
                found.add(inner)
            keys_in(inner, names, found)
    elif isinstance(value, list):
        for inner in value:
            keys_in(inner, names, found)
    return found


def messages(step):
    said = step.get("publish", [])
    return said if isinstance(said, list) else [said]


def spelled(payload):
    try:
        return payload.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(payload).decode()}


class Case:
    def __init__(self, case):
        self.case = case
        self.steps = case["steps"]
        self.topics, self.unique, self.words = set(), set(), set()
        for step in self.steps:
            for message in messages(step):
                self.words.add(message["topic"])
                if message["topic"].endswith("/config"):
                    self.topics.add(message["topic"])
                    payload = message["payload"]
                    if isinstance(payload, str):
                        try:
                            payload = json.loads(payload)
                        except ValueError:
                            payload = None
                    keys_in(payload, {"unique_id", "uniq_id"}, self.unique)
        self.before = {}
        self.after = []
        self.problems = []

    def entities(self, oracle, live, by_unique):
        ids = {e for t in self.topics for e in live.get(t, [])}
        ids |= {by_unique[u] for u in self.unique if u in by_unique}
        return sorted(ids)


async def ask(oracle, rows, keep_logs):
    from homeassistant.helpers import entity_registry
    registry = entity_registry.async_get(oracle.hass)
    by_unique = lambda: {e.unique_id: e.entity_id for e in registry.entities.values() if e.platform == "mqtt"}
    cases = [Case(row) for row in rows]
    often = {}
    for case in cases:
        for word in case.words:
            often[word] = often.get(word, 0) + 1
    for case in cases:
        case.words = {w for w in case.words if often[w] == 1}
    for number in range(max(len(c.steps) for c in cases)):
        now = [c for c in cases if number < len(c.steps)]
        mark = len(oracle.logs.lines)
        fired = len(oracle.fired)
        calls = []
        for case in now:
            for message in messages(case.steps[number]):
                oracle.publish(message["topic"], message["payload"], message.get("retain", False))
            if "call" in case.steps[number]:
                calls.append(case)
        await oracle.settle()
        if any(m["topic"].endswith("/config") for c in now for m in messages(c.steps[number])):
            # A platform that is used for the first time is loaded in the background: wait until nothing new comes.
            last, since = None, time.monotonic()
            while time.monotonic() - since < 1:
                have = (len(oracle.hass.states.async_all()), len(registry.entities), len(oracle.data.device_triggers))
                if have != last:
                    last, since = have, time.monotonic()
                await asyncio.sleep(0.05)
            await oracle.settle()
        await asyncio.sleep(max(c.steps[number].get("wait_s", 0) for c in now))
        published, errors = {}, {}
        live, unique = oracle.live(), by_unique()
        for case in calls:
            step = case.steps[number]
            domain, service = step["call"].split(".")
            ids = case.entities(oracle, live, unique)
            if "of" in step:
                ids = [e for e in ids if registry.async_get(e) and registry.async_get(e).unique_id == step["of"]] or ids
            target = next((e for e in ids if e.split(".")[0] == domain), ids[0] if ids else None)
            start = len(oracle.heard)
            try:
                await asyncio.wait_for(oracle.hass.services.async_call(domain, service, {"entity_id": target, **step.get("data", {})}, blocking=True), 15)
            except Exception as error:
                errors[id(case)] = type(error).__name__
                if keep_logs:
                    case.problems.append(f"{step['call']}: {error}")
            await oracle.hass.async_block_till_done()
            await oracle.heard_all()
            published[id(case)] = [[t, spelled(p), q, r] for t, p, q, r in oracle.heard[start:] if not t.startswith("oracle/") and t != "homeassistant/status"]
        await oracle.settle()
        topics = {t for c in now for t in c.topics}
        await oracle.attach(topics)
        await oracle.settle()
        live, unique = oracle.live(), by_unique()
        for case in now:
            answer = {}
            entities = {}
            for entity_id in case.entities(oracle, live, unique):
                row = {**(oracle.state(entity_id) or {"state": None})}
                known = registry.async_get(entity_id)
                key = (known.unique_id if known else None) or entity_id
                if case.before.get(key) != row:
                    case.before[key] = row
                    entities[key] = {"domain": entity_id.split(".")[0], **row} if number == 0 or key not in getattr(case, "shown", set()) else row
                if key not in getattr(case, "shown", set()):
                    case.shown = getattr(case, "shown", set()) | {key}
                    about = oracle.registered(entity_id)
                    entities[key] = {"domain": entity_id.split(".")[0], "entity_id": entity_id, **row, **({"registry": about} if about else {})}
            gone = [k for k in list(case.before) if k not in {(registry.async_get(e).unique_id if registry.async_get(e) else None) or e for e in case.entities(oracle, live, unique)}]
            for key in gone:
                case.before.pop(key)
            if entities:
                answer["entities"] = entities
            if gone:
                answer["removed"] = gone
            triggers = sorted((t.type, t.subtype) for _k, t in oracle.triggers_of(case.topics))
            if triggers and triggers != getattr(case, "triggers", None):
                case.triggers = triggers
                answer["triggers"] = [list(t) for t in triggers]
            shots = [{k: v for k, v in f.items() if k != "topic"} for f in oracle.fired[fired:] if f["topic"] in case.topics]
            if shots:
                answer["fired"] = shots
            if "call" in case.steps[number]:
                answer["published"] = published.get(id(case), [])
                if id(case) in errors:
                    answer["error"] = errors[id(case)]
            names = case.words | {e for e in case.entities(oracle, live, unique)}
            said = [text for _n, level, text in oracle.logs.lines[mark:] if any(re.search(rf"(?<![\w/.-]){re.escape(w)}(?![\w/.-])", text) for w in names)]
            if said:
                answer["problems"] = len(said)
                case.problems += said
            case.after.append(answer)
    return [{**({"name": c.case["name"]} if "name" in c.case else {}), "answers": c.after, **({"log": [p[:400] for p in c.problems]} if keep_logs and c.problems else {})} for c in cases]


async def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("do", choices=["ask", "serve"])
    words.add_argument("cases", nargs="?")
    words.add_argument("answers", nargs="?", default="-")
    words.add_argument("--broker")
    words.add_argument("--config")
    words.add_argument("--port", type=int, default=0)
    words.add_argument("--token-file")
    words.add_argument("--logs", action="store_true", help="keep Home Assistant's own words about each case")
    words = words.parse_args()
    began = time.monotonic()
    rows = lines_of(words.cases) if words.do == "ask" else []
    folder = words.config or tempfile.mkdtemp(prefix="ha-oracle-")
    os.makedirs(folder, exist_ok=True)
    broker = None
    if words.broker:
        host, _, port = words.broker.rpartition(":")
        port = int(port)
    else:
        broker = Broker(folder)
        host, port = "127.0.0.1", broker.port
    oracle = Oracle()
    task = asyncio.current_task()
    for signal in ("SIGTERM", "SIGINT"):
        asyncio.get_running_loop().add_signal_handler(getattr(signals, signal), task.cancel)
    try:
        http_port = words.port or free_port()
        await oracle.start(folder, host, port, http_port, words.do == "serve")
        started = time.monotonic()
        rss = lambda: round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        if words.do == "serve":
            from datetime import timedelta
            user = await oracle.hass.auth.async_create_user("Oracle", group_ids=["system-admin"])
            refresh = await oracle.hass.auth.async_create_refresh_token(user, client_name="oracle", token_type="long_lived_access_token", access_token_expiration=timedelta(days=3650))
            token = oracle.hass.auth.async_create_access_token(refresh)
            said = {"ready": True, "url": f"http://127.0.0.1:{http_port}", "broker": f"mqtt://{host}:{port}", "token": token, "start_s": round(started - began, 1), "rss_mb": rss()}
            if words.token_file:
                Path(words.token_file).write_text(token)
            print(json.dumps(said), flush=True)
            await asyncio.Event().wait()
        answers = await ask(oracle, rows, words.logs)
        write_lines(words.answers, answers)
        from homeassistant.const import __version__
        print(json.dumps({"home_assistant": __version__, "cases": len(rows), "start_s": round(started - began, 1), "ask_s": round(time.monotonic() - started, 1), "max_rss_mb": rss(), "states": len(oracle.hass.states.async_all())}), file=sys.stderr)
    finally:
        oracle.client.loop_stop() if hasattr(oracle, "client") else None
        if hasattr(oracle, "hass"):
            await oracle.hass.async_stop(force=True)
        if broker:
            broker.stop()
        if not words.config:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    # Home Assistant walks through sets: with a fixed seed the same question always has the same answer.
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
    try:
        asyncio.run(main())
    except (KeyboardInterrupt, asyncio.CancelledError):
        pass
