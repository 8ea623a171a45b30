"""Commands one device through the client library that Home Assistant uses, as often as asked, and says how long each
command took until the library's own state has changed:  clients.py KIND HOST:PORT ROUNDS"""
import asyncio, json, socket, sys, time

KIND, PLACE, ROUNDS = sys.argv[1], sys.argv[2], int(sys.argv[3])
HOST, PORT = PLACE.rsplit(":", 1)[0], int(PLACE.rsplit(":", 1)[1])


async def until(condition, limit=10.0):
    end = time.perf_counter() + limit
    while not condition():
        if time.perf_counter() > end:
            raise TimeoutError("the state did not change")
        await asyncio.sleep(0.0005)


async def rounds(command, is_so):
    took = []
    for number in range(ROUNDS):
        began = time.perf_counter()
        await command(number)
        await until(lambda: is_so(number))
        took.append((time.perf_counter() - began) * 1000)
    return took


async def esphome():
    from aioesphomeapi import APIClient
    client = APIClient(HOST, PORT, None)
    await client.connect(login=True)
    entities, services = await client.list_entities_services()
    relay = next(one for one in entities if one.name == "Relay")
    states = {}
    client.subscribe_states(lambda state: states.__setitem__(state.key, state))
    await until(lambda: relay.key in states)

    async def switch(number):
        client.switch_command(relay.key, not states[relay.key].state)

    wanted = {}

    async def toggle(number):
        wanted[number] = not states[relay.key].state
        await switch(number)

    took = await rounds(toggle, lambda number: states[relay.key].state == wanted[number])
    await client.disconnect()
    return len(entities) + len(services), took


async def shelly():
    import aiohttp
    from aioshelly.common import ConnectionOptions
    from aioshelly.rpc_device import RpcDevice, WsServer
    async with aiohttp.ClientSession() as session:
        device = await RpcDevice.create(session, WsServer(), ConnectionOptions(HOST, port=PORT))
        device.subscribe_updates(lambda *_: None)
        await device.initialize()
        offered = sum(1 for key in device.status if ":" in key)

        async def switch(number):
            await device.call_rpc("Switch.Set", {"id": 0, "on": number % 2 == 0})

        took = await rounds(switch, lambda number: device.status["switch:0"]["output"] == (number % 2 == 0))
        await device.shutdown()
        return offered, took


async def wled():
    import aiohttp
    from aiohttp.abc import AbstractResolver
    from wled import WLED

    class Resolver(AbstractResolver):
        """The library knows no port but 80."""

        async def resolve(self, host, port=0, family=socket.AF_INET):
            return [{"hostname": host, "host": HOST, "port": PORT, "family": socket.AF_INET, "proto": 0, "flags": 0}]

        async def close(self):
            pass

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(resolver=Resolver())) as session:
        light = WLED("light.test", session=session)
        device = await light.update()
        offered = len(device.state.segments) + (1 if len(device.state.segments) > 1 else 0)
        last = {}
        await light.connect()
        listening = asyncio.create_task(light.listen(lambda one: last.__setitem__("brightness", one.state.brightness)))

        async def dim(number):
            await light.master(brightness=10 + number)

        took = await rounds(dim, lambda number: last.get("brightness") == 10 + number)
        listening.cancel()
        await light.disconnect()
        return offered, took


async def tasmota():
    import aiomqtt
    from hatasmota.discovery import TasmotaDiscovery, get_entities_for_platform, get_entity
    from hatasmota.mqtt import ReceiveMessage, TasmotaMQTTClient
    async with aiomqtt.Client(HOST, PORT) as broker:
        wanted = {}

        async def publish(topic, payload, qos=0, retain=False):
            await broker.publish(topic, payload, qos=qos or 0, retain=bool(retain))

        async def subscribe(_state, topics):
            for topic in topics.values():
                is_new = topic["topic"] not in wanted
                wanted.setdefault(topic["topic"], []).append(topic["msg_callback"])
                if is_new:
                    await broker.subscribe(topic["topic"])
            return topics

        async def unsubscribe(_state):
            return {}

        async def read():
            async for message in broker.messages:
                topic = str(message.topic)
                for filter, callbacks in list(wanted.items()):
                    if filter == topic or (filter.endswith("#") and topic.startswith(filter[:-1])):
                        for callback in callbacks:
                            result = callback(ReceiveMessage(topic, message.payload.decode(), message.qos, message.retain))
                            if asyncio.iscoroutine(result):
                                asyncio.create_task(result)

        reading = asyncio.create_task(read())
        client = TasmotaMQTTClient(publish, subscribe, unsubscribe)
        devices, sensors = {}, {}

        async def found(payload, mac):
            devices[mac] = payload

        async def found_sensors(entities, mac):
            sensors[mac] = entities

        await TasmotaDiscovery("tasmota/discovery", client).start_discovery(found, found_sensors)
        await until(lambda: devices and sensors)
        (payload,) = devices.values()
        offered = sum(1 for one, _ in next(iter(sensors.values())) if one is not None)
        state = {}
        entities = []
        for platform in ("switch", "light", "cover", "fan", "binary_sensor", "sensor"):
            for one, _ in get_entities_for_platform(payload, platform):
                if one is None:
                    continue
                offered += 1
                entity = get_entity(one, client)
                if platform == "switch":
                    entities.append(entity)
                    entity.set_on_state_callback(lambda *values, **_more: state.__setitem__("on", values[0]))
                    await entity.subscribe_topics()

        async def switch(number):
            await entities[0].set_state(number % 2 == 0)

        took = await rounds(switch, lambda number: state.get("on") == (number % 2 == 0))
        reading.cancel()
        return offered, took


async def zwave():
    import aiohttp
    from zwave_js_server.client import Client
    async with aiohttp.ClientSession() as session:
        client = Client(f"ws://{PLACE}", session)
        await client.connect()
        ready = asyncio.Event()
        listening = asyncio.create_task(client.listen(ready))
        await ready.wait()
        nodes = [one for one in client.driver.controller.nodes.values() if not one.is_controller_node]
        offered = sum(len(one.values) for one in nodes)
        switch = next(one for one in nodes if one.node_id == 2)
        current = next(one for one in switch.values.values() if one.command_class == 37 and one.property_ == "currentValue")
        target = next(one for one in switch.values.values() if one.command_class == 37 and one.property_ == "targetValue")
        begun = bool(current.value)

        async def turn(number):
            await switch.async_set_value(target, (number % 2 == 0) != begun)

        took = await rounds(turn, lambda number: current.value == ((number % 2 == 0) != begun))
        await client.disconnect()
        listening.cancel()
        return offered, took


async def main():
    began = time.perf_counter()
    offered, took = await {"esphome": esphome, "shelly": shelly, "wled": wled, "tasmota": tasmota, "zwave": zwave}[KIND]()
    print(json.dumps({"offered": offered, "tookMs": took, "wholeMs": (time.perf_counter() - began) * 1000}), flush=True)


asyncio.run(main())
