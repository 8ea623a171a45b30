"""A controller of Matter for tests, by the SDK of the alliance, which homes of other makers have inside.

controller.py FOLDER ROOTS: the folder keeps what it must remember, the other has the roots under which devices are certified.
It reads one call per line and answers with a line, as controller.mjs does: {"id", "result" | "error"}. Clusters,
commands and attributes have the names of the SDK; values are as they cross the network.
"""
import asyncio
import json
import os
import sys
import threading

import chip.CertificateAuthority
import chip.clusters as clusters
import chip.logging
import chip.native
from chip.ChipStack import ChipStack
from chip.clusters.Attribute import AttributePath
from chip.discovery import DiscoveryType
from chip.interaction_model import InteractionModelError

FOLDER, ROOTS = sys.argv[1:]
NODE = 1
VENDOR = 0xFFF1
NO_BLUETOOTH = 999
LOUDNESS = {"error": chip.logging.LOG_CATEGORY_ERROR, "detail": chip.logging.LOG_CATEGORY_DETAIL}


class Controller:
    def __init__(self):
        os.makedirs(FOLDER, exist_ok=True)
        chip.native.Init(NO_BLUETOOTH)
        chip.logging.SetLogFilter(LOUDNESS[os.environ.get("CHIP_LOG", "error")])
        stack = ChipStack(persistentStoragePath=f"{FOLDER}/chip.json", enableServerInteractions=True)
        authorities = chip.CertificateAuthority.CertificateAuthorityManager(chipStack=stack)
        authorities.LoadAuthoritiesFromStorage()
        authority = (authorities.activeCaList or [authorities.NewCertificateAuthority()])[0]
        fabric = (authority.adminList or [authority.NewFabricAdmin(vendorId=VENDOR, fabricId=1)])[0]
        self.device = fabric.NewController(paaTrustStorePath=ROOTS)
        # What nothing refers to any more shuts the controller down.
        self.kept = (stack, authorities, authority, fabric)
        self.loop = asyncio.get_running_loop()
        self.changed = asyncio.Event()
        self.events = []
        self.subscription = None

    async def pair(self, code):
        await self.device.CommissionWithCode(code, NODE, DiscoveryType.DISCOVERY_NETWORK_ONLY)
        return await self.subscribe()

    async def subscribe(self, most_s=3):
        """All attributes and events; the SDK renews it by itself when the bridge was away."""
        self.subscription = await self.device.Read(
            NODE, attributes=[()], events=[()], reportInterval=(0, most_s), autoResubscribe=True
        )
        self.subscription.SetRawAttributeUpdateCallback(lambda *_: self.wake())
        self.subscription.SetEventUpdateCallback(lambda event, _: self.note(event))
        return sum(len(values) for of in self.cache().values() for values in of.values())

    def wake(self):
        self.loop.call_soon_threadsafe(self.changed.set)

    def note(self, event):
        self.events.append(
            {"number": event.Header.EndpointId, "event": type(event.Data).__name__, "data": vars(event.Data)}
        )
        self.wake()

    def cache(self):
        return self.subscription.GetTLVAttributes()

    def value(self, number, cluster, attribute):
        kind = getattr(getattr(clusters, cluster).Attributes, attribute)
        try:
            return self.subscription.GetTLVAttribute(
                AttributePath(EndpointId=number, ClusterId=kind.cluster_id, AttributeId=kind.attribute_id)
            )
        except KeyError:
            return None

    async def endpoints(self):
        found = []
        for number, of in sorted(self.cache().items()):
            about = of.get(clusters.BridgedDeviceBasicInformation.id)
            if about is None:
                continue
            types = [one[0] for one in of[clusters.Descriptor.id][0]]
            has = sorted(of[clusters.Descriptor.id][1])
            found.append({"number": number, "name": about[5], "reachable": about[17], "types": types, "clusters": has})
        return found

    async def whole(self, number):
        """All attributes of an endpoint, asked for now."""
        answer = await self.device.Read(NODE, attributes=[number])
        return {f"{key}/{name}": one for key, of in answer.tlvAttributes[number].items() for name, one in of.items()}

    async def command(self, number, cluster, command, args=None, timed_ms=None):
        make = getattr(getattr(clusters, cluster).Commands, command)
        await self.device.SendCommand(NODE, number, make(**(args or {})), timedRequestTimeoutMs=timed_ms)

    async def flood(self, orders, count, at_once):
        """Gives the orders in turn, so many at a time, and returns how often each answer came."""
        answers = {}
        left = iter(range(count))

        async def give():
            for at in left:
                try:
                    await self.command(**orders[at % len(orders)])
                    word = "done"
                except InteractionModelError as error:
                    word = error.status.name
                except Exception as error:
                    word = f"{type(error).__name__}: {error}"
                answers[word] = answers.get(word, 0) + 1

        await asyncio.gather(*(give() for _ in range(at_once)))
        return answers

    async def write(self, number, cluster, attribute, value):
        make = getattr(getattr(clusters, cluster).Attributes, attribute)
        [answer] = await self.device.WriteAttribute(NODE, [(number, make(value))])
        if int(answer.Status) != 0:
            raise RuntimeError(f"{cluster}.{attribute}: {answer.Status!r}")

    async def until(self, look, within_s, what):
        """The result of `look` once it is there."""
        end = self.loop.time() + within_s
        while True:
            self.changed.clear()
            if (found := look()) is not None:
                return found
            try:
                # The cache tells nothing of what goes.
                await asyncio.wait_for(self.changed.wait(), min(0.25, max(0.01, end - self.loop.time())))
            except asyncio.TimeoutError:
                if self.loop.time() > end:
                    raise RuntimeError(what()) from None

    async def await_value(self, number, cluster, attribute, value, within_s=90):
        is_there = lambda: True if self.value(number, cluster, attribute) == value else None
        what = lambda: f"{number} {cluster}.{attribute} is {self.value(number, cluster, attribute)!r}, not {value!r}"
        return await self.until(is_there, within_s, what)

    async def await_events(self, number, names, within_s=90):
        """Those of the endpoint since the last call, once the last of the names has come as often as it is listed."""
        own = lambda: [one for one in self.events if one["number"] == number]
        come = lambda: own() if len(own()) >= len(names) else None
        found = await self.until(come, within_s, lambda: f"{number} has the events {own()!r}")
        self.events = [one for one in self.events if one["number"] != number]
        return found

    async def open_window(self):
        """Lets another home join, as "turn on pairing mode" of an app does, and returns the number for it."""
        opened = await self.device.OpenCommissioningWindow(NODE, 180, 1000, 1234, 1)
        return opened.setupManualCode

    async def leave(self):
        await self.device.UnpairDevice(NODE)


def plain(value):
    if isinstance(value, bytes):
        return value.hex()
    return str(value) if not isinstance(value, (int, float, str, bool, type(None))) else value


async def main():
    lock = threading.Lock()
    channel = os.fdopen(os.dup(1), "w")
    # The SDK prints what it does to where answers belong.
    os.dup2(2, 1)

    def say(message):
        with lock:
            channel.write(json.dumps(message, default=plain) + "\n")
            channel.flush()

    controller = Controller()
    calls = {name: getattr(controller, name) for name in dir(controller) if not name.startswith("_")}
    tasks = set()

    async def answer(key, call, args):
        try:
            say({"id": key, "result": await calls[call](**args)})
        except Exception as error:
            say({"id": key, "error": f"{type(error).__name__}: {error}"})

    say({"ready": True})
    while line := await asyncio.to_thread(sys.stdin.readline):
        message = json.loads(line)
        task = asyncio.create_task(answer(message.pop("id"), message.pop("call"), message))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    os._exit(0)


asyncio.run(main())
