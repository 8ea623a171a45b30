import type { FeatureCategory, FeatureKind, Unit, ValueType } from './value-type.ts';

export type VocabularyEntry = {
  readonly kind: FeatureKind;
  readonly valueType: ValueType;
  readonly unit: Unit | null;
  /** Whether devices usually take this value. The feature of a single device may differ. */
  readonly writable: boolean;
  /** The category if the upstream names none. */
  readonly category: FeatureCategory;
  /** What its samples are: as the type of its values says, a count that only rises, or nothing. */
  readonly history: 'by_type' | 'counter' | 'none';
  /** The Matter attribute or cluster with the same meaning. */
  readonly matter: string | null;
};

type Details = Partial<Omit<VocabularyEntry, 'kind' | 'valueType'>>;

const PLAIN = { unit: null, writable: false, category: 'primary', history: 'by_type', matter: null } as const;
const state = (valueType: ValueType, details: Details = {}): VocabularyEntry => ({
  kind: 'state',
  valueType,
  ...PLAIN,
  ...details,
});
const action = (details: Details = {}): VocabularyEntry => ({
  kind: 'action',
  valueType: 'none',
  ...PLAIN,
  writable: true,
  ...details,
});
const occurrence = (details: Details = {}): VocabularyEntry => ({
  kind: 'event',
  valueType: 'object',
  ...PLAIN,
  ...details,
});

/** Each word has one meaning, one unit and one polarity in all protocols. Words are added, never changed. */
export const VOCABULARY = {
  on: state('boolean', { writable: true, matter: 'OnOff.onOff' }),
  brightness: state('number', { unit: 'percent', writable: true, matter: 'LevelControl.currentLevel' }),
  color_temperature: state('number', { unit: 'K', writable: true, matter: 'ColorControl.colorTemperatureMireds' }),
  color: state('color', { writable: true, matter: 'ColorControl.currentHue/Saturation/X/Y' }),
  effect: state('enum', { writable: true }),
  cover_state: state('enum', {
    writable: true,
    matter: 'WindowCovering.operationalStatus / ClosureControl.overallCurrentState',
  }),
  position: state('number', {
    unit: 'percent',
    writable: true,
    matter: 'WindowCovering.currentPositionLiftPercent100ths',
  }),
  tilt: state('number', { unit: 'percent', writable: true, matter: 'WindowCovering.currentPositionTiltPercent100ths' }),
  locked: state('boolean', { writable: true, matter: 'DoorLock.lockState' }),
  lock_state: state('enum', { matter: 'DoorLock.lockState' }),
  target_temperature: state('number', {
    unit: 'celsius',
    writable: true,
    matter: 'Thermostat.occupiedHeatingSetpoint',
  }),
  target_temperature_cool: state('number', {
    unit: 'celsius',
    writable: true,
    matter: 'Thermostat.occupiedCoolingSetpoint',
  }),
  away_target_temperature: state('number', {
    unit: 'celsius',
    writable: true,
    matter: 'Thermostat.unoccupiedHeatingSetpoint',
  }),
  thermostat_mode: state('enum', { writable: true, matter: 'Thermostat.systemMode' }),
  thermostat_state: state('enum', { matter: 'Thermostat.thermostatRunningState' }),
  preset: state('enum', { writable: true, matter: 'Thermostat.activePresetHandle' }),
  heating_demand: state('number', { unit: 'percent', matter: 'Thermostat.piHeatingDemand' }),
  fan_mode: state('enum', { writable: true, matter: 'FanControl.fanMode' }),
  fan_speed: state('number', { unit: 'percent', writable: true, matter: 'FanControl.percentSetting' }),
  swing: state('enum', { writable: true, matter: 'FanControl.rockSetting' }),
  target_humidity: state('number', { unit: 'percent', writable: true, matter: 'HumidistatControl' }),
  valve_open: state('boolean', { writable: true, matter: 'ValveConfigurationAndControl.currentState' }),
  volume: state('number', { unit: 'percent', writable: true, matter: 'LevelControl(Speaker)' }),
  muted: state('boolean', { writable: true, matter: 'OnOff(Speaker)' }),
  playback: state('enum', { writable: true, matter: 'MediaPlayback.currentState' }),
  siren: state('boolean', { writable: true }),
  arm_mode: state('enum', { writable: true }),
  vacuum_state: state('enum', { writable: true, matter: 'RvcOperationalState.operationalState' }),
  operation_mode: state('enum', { writable: true, category: 'config', matter: 'ModeSelect.currentMode' }),
  press: action(),
  identify: action({ matter: 'Identify' }),
  update: state('object', { writable: true, category: 'diagnostic', matter: 'OtaSoftwareUpdateRequestor' }),
  infrared_send: action(),
  button: occurrence({ matter: 'Switch.initialPress/longPress/multiPressComplete' }),
  open: state('boolean', { matter: 'BooleanState.stateValue (ContactSensor, inverted)' }),
  motion: state('boolean', { matter: 'OccupancySensing.occupancy' }),
  presence: state('boolean', { matter: 'OccupancySensing.occupancy' }),
  smoke: state('boolean', { matter: 'SmokeCoAlarm.smokeState' }),
  co_alarm: state('boolean', { matter: 'SmokeCoAlarm.coState' }),
  gas_leak: state('boolean'),
  water_leak: state('boolean', { matter: 'BooleanState (WaterLeakDetector)' }),
  tamper: state('boolean', { category: 'diagnostic' }),
  vibration: state('boolean'),
  problem: state('boolean', { matter: 'HardwareFault' }),
  rain: state('boolean', { matter: 'BooleanState (RainSensor)' }),
  battery_low: state('boolean', { category: 'diagnostic', matter: 'PowerSource.batChargeLevel' }),
  charging: state('boolean', { category: 'diagnostic', matter: 'PowerSource.batChargeState' }),
  mains_powered: state('boolean', { category: 'diagnostic', matter: 'PowerSource.status' }),
  temperature: state('number', { unit: 'celsius', matter: 'TemperatureMeasurement.measuredValue' }),
  humidity: state('number', { unit: 'percent', matter: 'RelativeHumidityMeasurement.measuredValue' }),
  pressure: state('number', { unit: 'hPa', matter: 'PressureMeasurement.measuredValue' }),
  illuminance: state('number', { unit: 'lx', matter: 'IlluminanceMeasurement.measuredValue' }),
  co2: state('number', { unit: 'ppm', matter: 'CarbonDioxideConcentrationMeasurement' }),
  co: state('number', { unit: 'ppm', matter: 'CarbonMonoxideConcentrationMeasurement' }),
  tvoc: state('number', { unit: 'ppb', matter: 'TotalVolatileOrganicCompoundsConcentrationMeasurement' }),
  voc_index: state('number'),
  formaldehyde: state('number', { unit: 'mg/m3', matter: 'FormaldehydeConcentrationMeasurement' }),
  pm1: state('number', { unit: 'ug/m3', matter: 'Pm1ConcentrationMeasurement' }),
  pm25: state('number', { unit: 'ug/m3', matter: 'Pm25ConcentrationMeasurement' }),
  pm10: state('number', { unit: 'ug/m3', matter: 'Pm10ConcentrationMeasurement' }),
  no2: state('number', { unit: 'ppb', matter: 'NitrogenDioxideConcentrationMeasurement' }),
  ozone: state('number', { unit: 'ppb', matter: 'OzoneConcentrationMeasurement' }),
  radon: state('number', { unit: 'Bq/m3', matter: 'RadonConcentrationMeasurement' }),
  air_quality: state('enum', { matter: 'AirQuality.airQuality' }),
  soil_moisture: state('number', { unit: 'percent', matter: 'SoilMeasurement' }),
  sound_level: state('number', { unit: 'dB' }),
  uv_index: state('number'),
  wind_speed: state('number', { unit: 'm/s' }),
  rainfall: state('number', { unit: 'mm', history: 'counter' }),
  rain_rate: state('number', { unit: 'mm/h' }),
  power: state('number', { unit: 'W', matter: 'ElectricalPowerMeasurement.activePower' }),
  energy: state('number', {
    unit: 'kWh',
    history: 'counter',
    matter: 'ElectricalEnergyMeasurement.cumulativeEnergyImported',
  }),
  energy_returned: state('number', {
    unit: 'kWh',
    history: 'counter',
    matter: 'ElectricalEnergyMeasurement.cumulativeEnergyExported',
  }),
  voltage: state('number', { unit: 'V', matter: 'ElectricalPowerMeasurement.voltage' }),
  current: state('number', { unit: 'A', matter: 'ElectricalPowerMeasurement.activeCurrent' }),
  frequency: state('number', { unit: 'Hz', matter: 'ElectricalPowerMeasurement.frequency' }),
  power_factor: state('number', { matter: 'ElectricalPowerMeasurement.powerFactor' }),
  apparent_power: state('number', { unit: 'VA', matter: 'ElectricalPowerMeasurement.apparentPower' }),
  reactive_power: state('number', { unit: 'var', matter: 'ElectricalPowerMeasurement.reactivePower' }),
  battery: state('number', { unit: 'percent', category: 'diagnostic', matter: 'PowerSource.batPercentRemaining' }),
  battery_state: state('enum', { category: 'diagnostic', matter: 'PowerSource.batChargeLevel' }),
  water_flow: state('number', { unit: 'm3/h', matter: 'FlowMeasurement.measuredValue' }),
  water_volume: state('number', { unit: 'm3', history: 'counter' }),
  gas_volume: state('number', { unit: 'm3', history: 'counter' }),
  distance: state('number', { unit: 'm' }),
  device_temperature: state('number', { unit: 'celsius', category: 'diagnostic' }),
  link_quality: state('number', { category: 'diagnostic', history: 'none' }),
  signal_strength: state('number', { unit: 'dBm', category: 'diagnostic', matter: 'WiFiNetworkDiagnostics.rssi' }),
  last_seen: state('timestamp', { category: 'diagnostic', history: 'none' }),
  power_on_behavior: state('enum', { writable: true, category: 'config', matter: 'OnOff.startUpOnOff' }),
  start_up_color_temperature: state('number', {
    unit: 'K',
    writable: true,
    category: 'config',
    matter: 'ColorControl.startUpColorTemperatureMireds',
  }),
  start_up_level: state('number', {
    unit: 'percent',
    writable: true,
    category: 'config',
    matter: 'LevelControl.startUpCurrentLevel',
  }),
  child_lock: state('boolean', {
    writable: true,
    category: 'config',
    matter: 'ThermostatUserInterfaceConfiguration.keypadLockout',
  }),
  calibration: state('number', {
    writable: true,
    category: 'config',
    matter: 'Thermostat.localTemperatureCalibration',
  }),
  countdown: state('number', { unit: 's', writable: true, category: 'config', matter: 'OnOff.onTime' }),
  sensitivity: state('enum', {
    writable: true,
    category: 'config',
    matter: 'BooleanStateConfiguration.currentSensitivityLevel',
  }),
  setpoint_limit: state('number', {
    unit: 'celsius',
    writable: true,
    category: 'config',
    matter: 'Thermostat.min/maxHeatSetpointLimit',
  }),
  input_mode: state('enum', { writable: true, category: 'config' }),
  operating_mode: state('enum', { writable: true, category: 'config', matter: 'ModeSelect.currentMode' }),
  indicator: state('any', { writable: true, category: 'config' }),
} as const satisfies Record<string, VocabularyEntry>;

/** A word of the published vocabulary. */
export type VocabularyWord = keyof typeof VOCABULARY;

/** The meaning of a feature: a word of the vocabulary, or `x.<property>` if the vocabulary has none. */
export type Capability = VocabularyWord | `x.${string}`;

export function isVocabularyWord(text: string): text is VocabularyWord {
  return Object.hasOwn(VOCABULARY, text);
}
