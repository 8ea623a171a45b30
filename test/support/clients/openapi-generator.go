// A program as its author would write it, on a client of openapi-generator's go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"program/hub"
)

func must[Answer any](answer Answer, _ *http.Response, err error) Answer {
	if err != nil {
		panic(err)
	}
	return answer
}

func tell(event hub.Event) string {
	switch event.Type {
	case "room.changed", "feature.changed":
	default:
		return ""
	}
	var known hub.KnownEvent
	bytes, _ := json.Marshal(event)
	must(0, nil, json.Unmarshal(bytes, &known))
	if known.RoomChangedEvent != nil {
		return "room.changed " + known.RoomChangedEvent.Data.Room.Name
	}
	data := known.FeatureChangedEvent.Data
	if data.Feature.Key == "on" && data.Device.Selector == "kitchen-ceiling" {
		return fmt.Sprint("feature.changed ", data.Feature.Value)
	}
	return ""
}

func main() {
	configuration := hub.NewConfiguration()
	configuration.Servers = hub.ServerConfigurations{{URL: os.Args[1]}}
	client := hub.NewAPIClient(configuration)
	ctx := context.Background()
	login := must(client.AccountAPI.Login(ctx).LoginRequest(*hub.NewLoginRequest(os.Args[2], os.Args[3])).Execute())
	ctx = context.WithValue(ctx, hub.ContextAccessToken, login.AccessToken)

	list, answer, err := client.DeviceAPI.ListDevices(ctx).Execute()
	must(list, answer, err)
	var lamp hub.Device
	for _, device := range list {
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
	since := answer.Header.Get("Event-Cursor")

	wish := hub.CommandRequest{Set: map[string]any{"on": !isOn}}
	command := must(client.DeviceAPI.CommandDevice(ctx, "kitchen-ceiling").Prefer("wait=5").CommandRequest(wish).Execute())
	galley, kitchen := "Galley", "Kitchen"
	rename := client.RoomAPI.UpdateRoom(ctx, "kitchen")
	renamed := must(rename.RoomUpdate(hub.RoomUpdate{Name: &galley}).Execute())
	history := must(client.HistoryAPI.GetFeatureHistory(ctx, "kitchen-ceiling", "on").Execute())
	dinner := hub.NewSceneCreate("Dinner")
	dinner.Targets = []hub.SceneTargetWish{*hub.NewSceneTargetWish("living-room-lamp", map[string]any{"on": true})}
	scene := must(client.SceneAPI.CreateScene(ctx).SceneCreate(*dinner).Execute())
	// Without a body the client sends the word null (issue 13927 of openapi-generator).
	activated := must(client.SceneAPI.ActivateScene(ctx, scene.Selector).SceneActivate(hub.SceneActivate{}).Execute())
	atNight := hub.NewTimeTrigger("time")
	atNight.At = "18:30"
	light := hub.NewCommandStep(hub.AutomationTargets{Devices: []any{"kitchen-ceiling"}})
	light.Set = map[string]any{"on": true}
	evening := hub.NewAutomationCreate("Evening")
	evening.Triggers = []hub.Trigger{{TimeTrigger: atNight}}
	evening.Steps = []hub.Step{{Command: light}}
	automation := must(client.AutomationAPI.CreateAutomation(ctx).AutomationCreate(*evening).Execute())

	events, isTold := []string{}, map[string]bool{"": true}
	for !isTold["room.changed Galley"] {
		page := must(client.EventAPI.FollowEvents(ctx).Since(since).Wait(5).Execute())
		since = page.Cursor
		for _, event := range page.Events {
			if line := tell(event); !isTold[line] {
				isTold[line], events = true, append(events, line)
			}
		}
	}
	must(rename.RoomUpdate(hub.RoomUpdate{Name: &kitchen}).Execute())
	_, _, err = client.DeviceAPI.GetDevice(ctx, "nothing").Execute()
	problem := err.(*hub.GenericOpenAPIError).Model().(hub.Problem)
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"devices":    len(list),
		"room":       lamp.Room.Get().Name,
		"wanted":     !isOn,
		"command":    command.Status,
		"renamed":    renamed.Name,
		"history":    history.Series[0].Series,
		"scene":      activated.Status,
		"automation": automation.State,
		"events":     events,
		"missing":    problem.Code,
	})
}
