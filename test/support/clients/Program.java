import hub.ApiClient;
import hub.ApiException;
import hub.ApiResponse;
import hub.api.*;
import hub.model.*;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A program as its author would write it, on a client of openapi-generator's java with the native library. */
class Program {
  static String tell(ApiClient client, Event event) throws Exception {
    if (!event.getType().equals("room.changed") && !event.getType().equals("feature.changed")) return "";
    var mapper = client.getObjectMapper();
    var known = mapper.readValue(mapper.writeValueAsString(event), KnownEvent.class).getActualInstance();
    if (known instanceof RoomChangedEvent room) return "room.changed " + room.getData().getRoom().getName();
    var data = ((FeatureChangedEvent) known).getData();
    var isLamp = data.getFeature().getKey().equals("on") && data.getDevice().getSelector().equals("kitchen-ceiling");
    return isLamp ? "feature.changed " + data.getFeature().getValue() : "";
  }

  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(args[0]);
    var login = new AccountApi(client).login(new LoginRequest().email(args[1]).password(args[2]));
    client.setRequestInterceptor(asked -> asked.header("Authorization", "Bearer " + login.getAccessToken()));

    var devices = new DeviceApi(client);
    ApiResponse<List<Device>> list = devices.listDevicesWithHttpInfo(null, null, null, null, null, null, null, null, null, null);
    var lamp = list.getData().stream().filter(one -> one.getSelector().equals("kitchen-ceiling")).findFirst().get();
    var on = lamp.getFeatures().stream().filter(one -> one.getKey().equals("on")).findFirst().get();
    var wanted = !Boolean.TRUE.equals(on.getValue());
    var since = list.getHeaders().entrySet().stream().filter(one -> one.getKey().equalsIgnoreCase("event-cursor"))
        .findFirst().get().getValue().get(0);

    var wish = new CommandRequest().set(Map.of("on", wanted));
    var command = devices.commandDevice("kitchen-ceiling", wish, null, "wait=5", null);
    var rooms = new RoomApi(client);
    var renamed = rooms.updateRoom("kitchen", new RoomUpdate().name("Galley"), null);
    var history = new HistoryApi(client).getFeatureHistory("kitchen-ceiling", "on", null, null, null, null, null, null, null, null);
    var scenes = new SceneApi(client);
    var target = new SceneTargetWish().device("living-room-lamp").set(Map.of("on", true));
    var scene = scenes.createScene(new SceneCreate().name("Dinner").targets(List.of(target)), null);
    var activated = scenes.activateScene(scene.getSelector(), null, null, null, new SceneActivate());
    var light = new CommandStep().targets(new AutomationTargets().devices(List.of("kitchen-ceiling"))).set(Map.of("on", true));
    // Left out, the client sends null and empty lists for what it may leave out.
    var atNight = new TimeTrigger().type(TimeTrigger.TypeEnum.TIME).at("18:30").missed("skip").days(null).dates(null).exceptDates(null);
    var evening = new AutomationCreate().name("Evening").triggers(List.of(new Trigger(atNight))).steps(List.of(new Step().command(light)));
    var automation = new AutomationApi(client).createAutomation(evening, null);

    Set<String> events = new LinkedHashSet<>();
    while (!events.contains("room.changed Galley")) {
      var page = new EventApi(client).followEvents(null, null, null, null, since, null, null, 5, null, null);
      since = page.getCursor();
      for (var event : page.getEvents()) events.add(tell(client, event));
      events.remove("");
    }
    rooms.updateRoom("kitchen", new RoomUpdate().name("Kitchen"), null);
    var result = new LinkedHashMap<String, Object>();
    result.put("devices", list.getData().size());
    result.put("room", lamp.getRoom().getName());
    result.put("wanted", wanted);
    result.put("command", command.getStatus());
    result.put("renamed", renamed.getName());
    result.put("history", history.getSeries().get(0).getSeries());
    result.put("scene", activated.getStatus());
    result.put("automation", automation.getState());
    result.put("events", events);
    try {
      devices.getDevice("nothing", null, null);
    } catch (ApiException refusal) {
      result.put("missing", client.getObjectMapper().readValue(refusal.getResponseBody(), Problem.class).getCode());
    }
    System.out.println(client.getObjectMapper().writeValueAsString(result));
  }
}
