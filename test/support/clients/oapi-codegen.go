// A program as its author would write it, on a client of oapi-codegen.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"program/hub"
)

func must[Answer any](answer Answer, err error) Answer {
	if err != nil {
		panic(err)
	}
	return answer
}

func ptr[Value any](value Value) *Value { return &value }

func tell(event hub.Event) string {
	var known hub.KnownEvent
	must(0, json.Unmarshal(must(json.Marshal(event)), &known))
	switch event.Type {
	case "room.changed":
		return "room.changed " + must(known.AsRoomChangedEvent()).Data.Room.Name
	case "feature.changed":
		data := must(known.AsFeatureChangedEvent()).Data
		if data.Feature.Key == "on" && data.Device.Selector == "kitchen-ceiling" {
			return fmt.Sprint("feature.changed ", data.Feature.Value)
		}
	}
	return ""
}

func main() {
	ctx, bearer := context.Background(), ""
	client := must(hub.NewClientWithResponses(os.Args[1], hub.WithRequestEditorFn(func(_ context.Context, asked *http.Request) error {
		if bearer != "" {
			asked.Header.Set("Authorization", "Bearer "+bearer)
		}
		return nil
	})))
	login := must(client.LoginWithResponse(ctx, hub.LoginRequest{Email: os.Args[2], Password: os.Args[3]}))
	bearer = login.JSON200.AccessToken

	list := must(client.ListDevicesWithResponse(ctx, nil))
	var lamp hub.Device
	for _, device := range *list.JSON200 {
		if device.Selector == "kitchen-ceiling" {
			lamp = device
		}
	}
	isOn := false
	for _, feature := range lamp.Features {
		if feature.Key == "on" {
			isOn = feature.Value == true
		}
	}
	since := list.HTTPResponse.Header.Get("Event-Cursor")

	on := map[string]any{"on": !isOn}
	params := hub.CommandDeviceParams{Prefer: ptr("wait=5")}
	command := must(client.CommandDeviceWithResponse(ctx, "kitchen-ceiling", &params, hub.CommandRequest{Set: &on}))
	renamed := must(client.UpdateRoomWithResponse(ctx, "kitchen", nil, hub.RoomUpdate{Name: ptr("Galley")}))
	history := must(client.GetFeatureHistoryWithResponse(ctx, "kitchen-ceiling", "on", nil))
	targets := []hub.SceneTargetWish{{Device: "living-room-lamp", Set: map[string]any{"on": true}}}
	scene := must(client.CreateSceneWithResponse(ctx, nil, hub.SceneCreate{Name: "Dinner", Targets: &targets}))
	activated := must(client.ActivateSceneWithResponse(ctx, scene.JSON201.Selector, nil, hub.SceneActivate{}))
	var evening hub.Trigger
	must(0, evening.FromTimeTrigger(hub.TimeTrigger{At: "18:30", Type: "time"}))
	evening.Type = "time"
	var lit hub.Operand = true
	light := hub.CommandStep{
		Targets: hub.AutomationTargets{Devices: &[]hub.Reference{"kitchen-ceiling"}},
		Set:     &map[string]hub.Operand{"on": lit},
	}
	automation := must(client.CreateAutomationWithResponse(ctx, nil, hub.AutomationCreate{
		Name: "Evening", Triggers: &[]hub.Trigger{evening}, Steps: &[]hub.Step{{Command: &light}},
	}))

	events, isTold := []string{}, map[string]bool{"": true}
	for !isTold["room.changed Galley"] {
		page := must(client.FollowEventsWithResponse(ctx, &hub.FollowEventsParams{Since: &since, Wait: ptr(5)}))
		since = page.JSON200.Cursor
		for _, event := range page.JSON200.Events {
			if line := tell(event); !isTold[line] {
				isTold[line], events = true, append(events, line)
			}
		}
	}
	must(client.UpdateRoomWithResponse(ctx, "kitchen", nil, hub.RoomUpdate{Name: ptr("Kitchen")}))
	missing := must(client.GetDeviceWithResponse(ctx, "nothing", nil))
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"devices":    len(*list.JSON200),
		"room":       lamp.Room.Name,
		"wanted":     !isOn,
		"command":    command.JSON200.Status,
		"renamed":    renamed.JSON200.Name,
		"history":    history.JSON200.Series[0].Series,
		"scene":      activated.JSON200.Status,
		"automation": automation.JSON201.State,
		"events":     events,
		"missing":    missing.ApplicationproblemJSON404.Code,
	}))
}
