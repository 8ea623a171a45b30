"""Gives the recorder of the real Home Assistant a day of changes, as fast as it takes them.

home-assistant.py CHANGES FOLDER

CHANGES is a file of JSON lines: first a list of entities {"id", "unit", "state_class", "device_class", "name"}, then a line
[entity, ms since 1970, state] for each change, in order of time. FOLDER becomes the configuration of this Home Assistant.

The recorder has the settings that Home Assistant ships. What it does by the clock on the wall is done by the clock of the
changes instead: a commit every 5 seconds, statistics every 5 minutes. So it writes in minutes what it writes in a day. It is
Apache-2.0, in its own process, and nothing of it is in this repository.
"""
import asyncio
import json
import os
import sys
from datetime import datetime, timezone
from pathlib import Path

COMMIT_MS = 5_000
STATISTICS_MS = 300_000
# Far below the backlog at which the recorder gives up.
MAX_BACKLOG = 5_000


async def start(folder):
    from homeassistant import block_async_io, bootstrap, runner
    from homeassistant.setup import async_setup_component

    block_async_io.enable = lambda: None
    # The recorder and what it needs: no frontend, no analytics, no backup.
    bootstrap.DEFAULT_INTEGRATIONS = set()
    bootstrap.CRITICAL_INTEGRATIONS = set()
    (folder / "configuration.yaml").write_text(
        "homeassistant:\n  name: Bench\n  latitude: 52.0\n  longitude: 5.0\n  elevation: 0\n  unit_system: metric\n"
        "  time_zone: UTC\n  currency: EUR\n  country: NL\nrecorder:\nlogger:\n  default: warning\n"
    )
    config = runner.RuntimeConfig(config_dir=str(folder), skip_pip=True, log_no_color=True, log_file=str(folder / "ha.log"))
    hass = await bootstrap.async_setup_hass(config)
    assert hass is not None and not hass.config.recovery_mode, "Home Assistant came up in recovery mode"
    # The recorder asks it for the statistics of sensors.
    assert await async_setup_component(hass, "sensor", {})
    await hass.async_start()
    await hass.async_block_till_done()
    return hass


async def feed(hass, lines):
    from homeassistant.components.recorder import get_instance
    from homeassistant.components.recorder.tasks import CommitTask, StatisticsTask

    recorder = get_instance(hass)
    await recorder.async_block_till_done()
    for listener in ("_commit_listener", "_periodic_listener", "_nightly_listener"):
        stop = getattr(recorder, listener)
        assert stop is not None, f"the recorder has no {listener}"
        stop()
        setattr(recorder, listener, None)
    entities = json.loads(next(lines))
    attributes = [
        {
            key: value
            for key, value in (
                ("state_class", entity["state_class"]),
                ("unit_of_measurement", entity["unit"]),
                ("device_class", entity["device_class"]),
                ("friendly_name", entity["name"]),
            )
            if value is not None
        }
        for entity in entities
    ]
    mark("begin")
    count = 0
    commit_ms = statistics_ms = None
    for line in lines:
        number, at_ms, state = json.loads(line)
        if commit_ms is None:
            commit_ms = at_ms - at_ms % COMMIT_MS + COMMIT_MS
            statistics_ms = at_ms - at_ms % STATISTICS_MS + STATISTICS_MS
        while at_ms >= commit_ms:
            if at_ms >= statistics_ms and commit_ms >= statistics_ms:
                begin = datetime.fromtimestamp((statistics_ms - STATISTICS_MS) / 1000, timezone.utc)
                recorder.queue_task(StatisticsTask(begin, True))
                statistics_ms += STATISTICS_MS
            recorder.queue_task(CommitTask())
            commit_ms += COMMIT_MS
            while recorder.backlog > MAX_BACKLOG:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0)
        hass.states.async_set(entities[number]["id"], state, attributes[number], timestamp=at_ms / 1000)
        count += 1
    recorder.queue_task(CommitTask())
    await recorder.async_block_till_done()
    mark("end")
    return count


def mark(name):
    """Who traces this process sees a file with this name synced."""
    with open(Path(sys.argv[2]) / name, "w") as file:
        os.fsync(file.fileno())


async def main():
    changes, folder = sys.argv[1:]
    hass = await start(Path(folder))
    with open(changes) as lines:
        count = await feed(hass, lines)
    from sqlalchemy import text
    from homeassistant.components.recorder import get_instance, util
    from homeassistant.const import __version__

    def rows():
        with util.session_scope(hass=hass, read_only=True) as session:
            tables = ("states", "statistics_short_term", "statistics")
            return {table: session.execute(text(f"SELECT count(*) FROM {table}")).scalar() for table in tables}

    found = await get_instance(hass).async_add_executor_job(rows)
    print(json.dumps({"version": __version__, "changes": count, "rows": found}), flush=True)
    await hass.async_stop(force=True)


asyncio.run(main())
