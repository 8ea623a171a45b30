import type { EndpointType } from '@matter/main';
import { BridgedDeviceBasicInformationServer } from '@matter/main/behaviors/bridged-device-basic-information';
import { ElectricalPowerMeasurementServer } from '@matter/main/behaviors/electrical-power-measurement';
import { OccupancySensingServer } from '@matter/main/behaviors/occupancy-sensing';
import { PowerSourceServer } from '@matter/main/behaviors/power-source';
import { PowerTopologyServer } from '@matter/main/behaviors/power-topology';
import { SmokeCoAlarmServer } from '@matter/main/behaviors/smoke-co-alarm';
import { SwitchServer } from '@matter/main/behaviors/switch';
import { ColorTemperatureLightDevice } from '@matter/main/devices/color-temperature-light';
import { ContactSensorDevice } from '@matter/main/devices/contact-sensor';
import { DimmableLightDevice } from '@matter/main/devices/dimmable-light';
import { DoorLockDevice } from '@matter/main/devices/door-lock';
import { ExtendedColorLightDevice } from '@matter/main/devices/extended-color-light';
import { FanDevice } from '@matter/main/devices/fan';
import { GenericSwitchDevice } from '@matter/main/devices/generic-switch';
import { HumiditySensorDevice } from '@matter/main/devices/humidity-sensor';
import { LightSensorDevice } from '@matter/main/devices/light-sensor';
import { OccupancySensorDevice } from '@matter/main/devices/occupancy-sensor';
import { OnOffLightDevice } from '@matter/main/devices/on-off-light';
import { OnOffPlugInUnitDevice } from '@matter/main/devices/on-off-plug-in-unit';
import { SmokeCoAlarmDevice } from '@matter/main/devices/smoke-co-alarm';
import { TemperatureSensorDevice } from '@matter/main/devices/temperature-sensor';
import { ThermostatDevice } from '@matter/main/devices/thermostat';
import { WaterLeakDetectorDevice } from '@matter/main/devices/water-leak-detector';
import { WaterValveDevice } from '@matter/main/devices/water-valve';
import { WindowCoveringDevice } from '@matter/main/devices/window-covering';
import type { BridgedEndpoint, EndpointKind, EndpointPart } from '#integrations/matter-bridge/node-message.ts';
import type { CommandBehaviors } from './command-behaviors.ts';

const Bridged = BridgedDeviceBasicInformationServer;
const Battery = PowerSourceServer.with('Battery');
const Power = ElectricalPowerMeasurementServer.with('AlternatingCurrent');
const Topology = PowerTopologyServer.with('NodeTopology');
export const ButtonServer = SwitchServer.with(
  'MomentarySwitch',
  'MomentarySwitchRelease',
  'MomentarySwitchLongPress',
  'MomentarySwitchMultiPress',
);

type Has = (part: EndpointPart) => boolean;
type Make = (own: CommandBehaviors, has: Has) => MutableType;
/** Every type of an endpoint can do this: the types of their clusters differ, and the hub sends what the kind has. */
type MutableType = EndpointType & { readonly with: (...behaviors: never[]) => EndpointType };

const MAKERS: Readonly<Record<EndpointKind, Make>> = {
  on_off_light: (own) => OnOffLightDevice.with(own.LightOnOff, own.Identify, Bridged),
  dimmable_light: (own) => DimmableLightDevice.with(own.LightOnOff, own.Level, own.Identify, Bridged),
  color_temperature_light: (own) =>
    ColorTemperatureLightDevice.with(own.LightOnOff, own.Level, own.White, own.Identify, Bridged),
  extended_color_light: (own) =>
    ExtendedColorLightDevice.with(own.LightOnOff, own.Level, own.Color, own.Identify, Bridged),
  on_off_plug: (own) => OnOffPlugInUnitDevice.with(own.LightOnOff, own.Identify, Bridged),
  window_covering: (own, has) => WindowCoveringDevice.with(has('tilt') ? own.Blind : own.Cover, own.Identify, Bridged),
  door_lock: (own) => DoorLockDevice.with(own.Lock, own.Identify, Bridged),
  thermostat: (own, has) =>
    ThermostatDevice.with(
      has('cooling') ? (has('heating') ? own.HeatingAndCooling : own.Cooling) : own.Heating,
      own.Identify,
      Bridged,
    ),
  fan: (own) => FanDevice.with(own.Fan, own.Identify, Bridged),
  water_valve: (own) => WaterValveDevice.with(own.Valve, own.Identify, Bridged),
  contact_sensor: (own) => ContactSensorDevice.with(own.Identify, Bridged),
  occupancy_sensor: (own) =>
    OccupancySensorDevice.with(OccupancySensingServer.with('PassiveInfrared'), own.Identify, Bridged),
  temperature_sensor: (own) => TemperatureSensorDevice.with(own.Identify, Bridged),
  humidity_sensor: (own) => HumiditySensorDevice.with(own.Identify, Bridged),
  light_sensor: (own) => LightSensorDevice.with(own.Identify, Bridged),
  water_leak_detector: (own) => WaterLeakDetectorDevice.with(own.Identify, Bridged),
  smoke_co_alarm: (own, has) =>
    has('co')
      ? has('smoke')
        ? SmokeCoAlarmDevice.with(SmokeCoAlarmServer.with('SmokeAlarm', 'CoAlarm'), own.Identify, Bridged)
        : SmokeCoAlarmDevice.with(SmokeCoAlarmServer.with('CoAlarm'), own.Identify, Bridged)
      : SmokeCoAlarmDevice.with(SmokeCoAlarmServer.with('SmokeAlarm'), own.Identify, Bridged),
  generic_switch: (own) => GenericSwitchDevice.with(ButtonServer, own.Identify, Bridged),
};

/** The type of an endpoint, with the clusters that its parts add. */
export function endpointTypeOf({ kind, parts }: Pick<BridgedEndpoint, 'kind' | 'parts'>, own: CommandBehaviors) {
  const has: Has = (part) => parts.includes(part);
  let type: EndpointType = MAKERS[kind](own, has);
  if (has('battery')) type = extended(type, [Battery]);
  if (has('power')) type = extended(type, [Power, Topology]);
  return type;
}

function extended(type: EndpointType, behaviors: readonly unknown[]): EndpointType {
  return (type as MutableType).with(...(behaviors as never[]));
}
