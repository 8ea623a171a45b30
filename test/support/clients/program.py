"""A program as its author would write it, on a client of openapi-generator's python."""
import json
import sys

import hub

host, email, password = sys.argv[1:]
client = hub.ApiClient(hub.Configuration(host=host))
login = hub.AccountApi(client).login(hub.LoginRequest(email=email, password=password))
client.configuration.access_token = login.access_token
devices, rooms = hub.DeviceApi(client), hub.RoomApi(client)

answer = devices.list_devices_with_http_info()
names = [device.name.upper() for device in answer.data]
lamp = next(device for device in answer.data if device.selector == "kitchen-ceiling")
is_on = next(feature for feature in lamp.features if feature.key == "on").value
since = answer.headers["Event-Cursor"]

wanted = hub.CommandRequest(set={"on": not is_on})
command = devices.command_device("kitchen-ceiling", wanted, prefer="wait=5")
renamed = rooms.update_room("kitchen", hub.RoomUpdate(name="Galley"))
history = hub.HistoryApi(client).get_feature_history("kitchen-ceiling", "on")
scenes = hub.SceneApi(client)
target = hub.SceneTargetWish(device="living-room-lamp", set={"on": True})
scene = scenes.create_scene(hub.SceneCreate(name="Dinner", targets=[target]))
activated = scenes.activate_scene(scene.selector)
light = hub.CommandStep(targets=hub.AutomationTargets(devices=["kitchen-ceiling"]), set={"on": True})
evening = hub.Trigger(hub.TimeTrigger(type="time", at="18:30"))
automation = hub.AutomationApi(client).create_automation(
    hub.AutomationCreate(name="Evening", triggers=[evening], steps=[hub.Step(command=light)])
)

events = []
while "room.changed Galley" not in events:
    page = hub.EventApi(client).follow_events(since=since, wait=5)
    since = page.cursor
    known = [one.to_dict() for one in page.events if one.type in ("room.changed", "feature.changed")]
    for event in (hub.KnownEvent.from_dict(one).actual_instance for one in known):
        if isinstance(event, hub.RoomChangedEvent):
            events.append(f"{event.type.value} {event.data.room.name}")
        if isinstance(event, hub.FeatureChangedEvent) and event.data.feature.key == "on":
            if event.data.device.selector == "kitchen-ceiling":
                events.append(f"{event.type.value} {str(event.data.feature.value).lower()}")
rooms.update_room("kitchen", hub.RoomUpdate(name="Kitchen"))
try:
    missing = devices.get_device("nothing").name
except hub.exceptions.NotFoundException as refusal:
    missing = json.loads(refusal.body)["code"]
print(
    json.dumps(
        {
            "devices": len(names),
            "room": lamp.room.name if lamp.room else None,
            "wanted": not is_on,
            "command": command.status,
            "renamed": renamed.name,
            "history": history.series[0].series,
            "scene": activated.status,
            "automation": automation.state,
            "events": list(dict.fromkeys(events)),
            "missing": missing,
        }
    )
)
