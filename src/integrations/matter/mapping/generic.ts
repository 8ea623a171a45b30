import { snakeOf } from '#integrations/peer/snake-word.ts';
import type { JsonValue } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import type { ValueType } from '#core/feature/value-type.ts';
import { invoke, numberIn, type Part, type Place, type Plan, reading } from './source.ts';

/** Every cluster says these of itself. */
const OF_EACH: ReadonlySet<string> = new Set([
  'clusterRevision',
  'featureMap',
  'attributeList',
  'acceptedCommandList',
  'generatedCommandList',
  'eventList',
]);
/** Clusters that manage a node, its network and its secrets, or that the description of the device has. */
const MANAGEMENT: ReadonlySet<string> = new Set([
  'accessControl',
  'accountLogin',
  'actions',
  'administratorCommissioning',
  'applicationBasic',
  'applicationLauncher',
  'basicInformation',
  'binding',
  'bridgedDeviceBasicInformation',
  'cameraAvSettingsUserLevelManagement',
  'cameraAvStreamManagement',
  'commissionerControl',
  'contentAppObserver',
  'contentControl',
  'descriptor',
  'diagnosticLogs',
  'ecosystemInformation',
  'ethernetNetworkDiagnostics',
  'fixedLabel',
  'generalCommissioning',
  'groupKeyManagement',
  'groupcast',
  'groups',
  'icdManagement',
  'jointFabricAdministrator',
  'jointFabricDatastore',
  'localizationConfiguration',
  'networkCommissioning',
  'operationalCredentials',
  'otaSoftwareUpdateProvider',
  'otaSoftwareUpdateRequestor',
  'powerSourceConfiguration',
  'powerTopology',
  'pushAvStreamTransport',
  'scenesManagement',
  'threadBorderRouterManagement',
  'threadNetworkDiagnostics',
  'threadNetworkDirectory',
  'timeFormatLocalization',
  'timeSynchronization',
  'tlsCertificateManagement',
  'tlsClientManagement',
  'unitLocalization',
  'userLabel',
  'wakeOnLan',
  'webRtcTransportProvider',
  'webRtcTransportRequestor',
  'wiFiNetworkDiagnostics',
  'wiFiNetworkManagement',
  'zoneManagement',
]);
/** Addresses, keys, and tables that say how exact a meter is. */
const SINGLE = new Set<Place>([
  'generalDiagnostics.networkInterfaces',
  'softwareDiagnostics.threadMetrics',
  'electricalPowerMeasurement.accuracy',
  'electricalPowerMeasurement.ranges',
  'electricalEnergyMeasurement.accuracy',
  'powerSource.endpointList',
  'powerSource.order',
]);
const KEYS = /^doorLock\.aliro/;

function isLeftOut(place: Place): boolean {
  const [cluster = '', attribute = ''] = place.split('.');
  return OF_EACH.has(attribute) || MANAGEMENT.has(cluster) || SINGLE.has(place) || KEYS.test(place);
}

/** An attribute that no other feature shows, so that nothing is hidden; `undefined` for what is left out. */
export function genericPlan(component: string, place: Place, value: JsonValue): Plan | undefined {
  if (isLeftOut(place)) return undefined;
  const name = place
    .split('.')
    .map((word) => snakeOf(word))
    .filter((word) => word !== '')
    .join('_');
  if (name === '') return undefined;
  const valueType = typeOf(value);
  return reading(ownFeature(name, component, { valueType }), place, (now) => fitting(now, valueType));
}

function typeOf(value: JsonValue): ValueType {
  if (value === null) return 'any';
  if (typeof value === 'object') return Array.isArray(value) ? 'list' : 'object';
  return typeof value as 'boolean' | 'number' | 'string';
}

function fitting(value: JsonValue | undefined, valueType: ValueType): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  return valueType === 'any' || typeOf(value) === valueType ? value : undefined;
}

const IDENTIFY_S = 10;
const NO_WAY = 0;

/** "Which one is it?" */
export function identifySource(part: Part): void {
  part.hide('identify.identifyTime', 'identify.identifyType');
  const type = numberIn(part.find('identify.identifyType'), [0, 255]);
  if (!part.takes('identify.identify') || type === NO_WAY) return;
  part.add({
    feature: wordFeature('identify', part.component, { writable: true }),
    write: () => [invoke(part, 'identify.identify', { fields: { identifyTime: IDENTIFY_S } })],
  });
}
