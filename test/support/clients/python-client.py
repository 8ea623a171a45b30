"""A program as its author would write it, on a client of openapi-python-client."""
import json
import sys

from hub import AuthenticatedClient, Client, models
from hub.api.account import login
from hub.api.automation import create_automation
from hub.api.device import command_device, get_device, list_devices
from hub.api.event import follow_events
from hub.api.history import get_feature_history
from hub.api.room import update_room
from hub.api.scene import activate_scene, create_scene

host, email, password = sys.argv[1:]
tokens = login.sync(client=Client(host), body=models.LoginRequest(email=email, password=password))
client = AuthenticatedClient(host, tokens.access_token)

answer = list_devices.sync_detailed(client=client)
names = [device.name.upper() for device in answer.parsed]
lamp = next(device for device in answer.parsed if device.selector == "kitchen-ceiling")
is_on = next(feature for feature in lamp.features if feature.key == "on").value
since = answer.headers["Event-Cursor"]

wish = models.CommandRequest.from_dict({"set": {"on": not is_on}})
command = command_device.sync("kitchen-ceiling", client=client, body=wish, prefer="wait=5")
renamed = update_room.sync("kitchen", client=client, body=models.RoomUpdate(name="Galley"))
history = get_feature_history.sync("kitchen-ceiling", "on", client=client)
dinner = {"name": "Dinner", "targets": [{"device": "living-room-lamp", "set": {"on": True}}]}
scene = create_scene.sync(client=client, body=models.SceneCreate.from_dict(dinner))
activated = activate_scene.sync(scene.selector, client=client, body=models.SceneActivate())
light = {"command": {"targets": {"devices": ["kitchen-ceiling"]}, "set": {"on": True}}}
evening = {"name": "Evening", "triggers": [{"type": "time", "at": "18:30"}], "steps": [light]}
automation = create_automation.sync(client=client, body=models.AutomationCreate.from_dict(evening))

events = []
while "room.changed Galley" not in events:
    page = follow_events.sync(client=client, since=since, wait=5)
    since = page.cursor
    for event in page.events:
        if event.type_ == "room.changed":
            events.append(f"{event.type_} {models.RoomChangedEvent.from_dict(event.to_dict()).data.room.name}")
        if event.type_ == "feature.changed":
            data = models.FeatureChangedEvent.from_dict(event.to_dict()).data
            if data.feature.key == "on" and data.device.selector == "kitchen-ceiling":
                events.append(f"{event.type_} {str(data.feature.value).lower()}")
update_room.sync("kitchen", client=client, body=models.RoomUpdate(name="Kitchen"))
missing = get_device.sync("nothing", client=client)
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
            "missing": missing.code,
        }
    )
)
