import type { Device, Feature } from '#web/client/api.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

/*
 * A copy of the hub's rule for who may do what, so that the page does not offer what the hub would refuse. The hub
 * decides; a test compares this copy with its rule.
 */

export type Right =
  | 'device:read'
  | 'device:control'
  | 'device:control_sensitive'
  | 'device:manage'
  | 'device:provide'
  | 'event:read'
  | 'room:manage'
  | 'user:manage'
  | 'system:read'
  | 'history:read'
  | 'metrics:read'
  | 'notification:read'
  | 'notification:manage'
  | 'mode:set'
  | 'automation:read'
  | 'automation:run'
  | 'automation:manage'
  | 'presence:tell'
  | 'energy:tell'
  | 'scene:run'
  | 'scene:manage'
  | 'hub:manage'
  | 'system:manage';

/** From the most rights to the fewest. */
const ROLES = ['owner', 'admin', 'resident', 'guest'] as const;
type Role = (typeof ROLES)[number];

const GUEST: readonly Right[] = [
  'device:read',
  'device:control',
  'event:read',
  'notification:read',
  'presence:tell',
  'scene:run',
];
const RESIDENT: readonly Right[] = [
  ...GUEST,
  'device:control_sensitive',
  'history:read',
  'mode:set',
  'automation:read',
  'automation:run',
  // Over those that they made themselves.
  'automation:manage',
  'scene:manage',
];
const ADMIN: readonly Right[] = [
  ...RESIDENT,
  'device:manage',
  'device:provide',
  'room:manage',
  'user:manage',
  'system:read',
  'metrics:read',
  'notification:manage',
  'energy:tell',
  'hub:manage',
];
const RIGHTS: Readonly<Record<Role, readonly Right[]>> = {
  owner: [...ADMIN, 'system:manage'],
  admin: ADMIN,
  resident: RESIDENT,
  guest: GUEST,
};

/** Rights that can hold in a part of the home. */
export const PLACE_RIGHTS: ReadonlySet<Right> = new Set<Right>([
  'device:read',
  'device:control',
  'device:control_sensitive',
  'device:manage',
  'event:read',
  'history:read',
  'metrics:read',
  'notification:read',
  'scene:run',
  'scene:manage',
  'presence:tell',
]);

/** An unknown role has the rights that every role has. A person limited to rooms has none about the whole home. */
export function rightsOf(role: string | undefined, rooms: readonly string[] | null = null): readonly Right[] {
  const all = RIGHTS[ROLES.find((one) => one === role) ?? 'guest'];
  return rooms === null ? all : all.filter((right) => PLACE_RIGHTS.has(right));
}

/** The roles that a person of this role may give, and whose accounts they may change. */
export function rolesUnder(role: string): readonly string[] {
  const own = rightsOf(role);
  return own.includes('user:manage') ? ROLES.filter((one) => RIGHTS[one].every((right) => own.includes(right))) : [];
}

/** The words instead of a page that this person may not see. */
export function refusedPageWords(right: Right): string {
  if (RESIDENT.includes(right)) return pageWords.rights.notGuests;
  return RIGHTS.admin.includes(right) ? pageWords.rights.adminsOnly : pageWords.rights.ownerOnly;
}

type Subject = Pick<Device, 'type' | 'features' | 'sensitive'>;

const SENSITIVE_TYPES = new Set(['door_lock', 'water_valve', 'siren']);
const SENSITIVE_CAPABILITY = /^(valve_open|siren|x\.(.+_)?(alarm|siren|valve)(_.+)?)$/;

/** Whether every command to the device can let someone in, flood the home, or raise or silence an alarm. */
function isSensitiveDevice({ type, features, sensitive }: Subject): boolean {
  if (SENSITIVE_TYPES.has(type) || features.some(isEntrance)) return true;
  // No feature is the reason: a person marked the device.
  return sensitive && !features.some(({ capability }) => SENSITIVE_CAPABILITY.test(capability));
}

function isEntrance({ capability }: Pick<Feature, 'capability'>): boolean {
  return capability === 'locked' || capability === 'arm_mode' || /^x\..*garage/.test(capability);
}

/** Whether the device is sensitive, as a whole or in a part, without anyone having marked it. */
export function isSensitiveByItself({ type, features }: Pick<Subject, 'type' | 'features'>): boolean {
  const isSensitive = (one: Feature): boolean => isEntrance(one) || SENSITIVE_CAPABILITY.test(one.capability);
  return SENSITIVE_TYPES.has(type) || features.some(isSensitive);
}

/** The right to use the feature; without a feature, to use the device at all. */
export function rightToControl(device: Subject, feature?: Pick<Feature, 'capability'>): Right {
  const isSensitive =
    isSensitiveDevice(device) || (feature !== undefined && SENSITIVE_CAPABILITY.test(feature.capability));
  return isSensitive ? 'device:control_sensitive' : 'device:control';
}

type Asking = { readonly can: (right: Right) => boolean; readonly me: { readonly value: { role: string } | null } };

/** Why the hub would refuse the feature (or the whole device) to this person, in words; `undefined` if it would not. */
export function refusalOf(
  { can, me }: Asking,
  device: Subject,
  feature?: Pick<Feature, 'capability' | 'writable'>,
): string | undefined {
  const isUsed = feature === undefined ? device.features.some(({ writable }) => writable) : feature.writable;
  if (!isUsed || can(rightToControl(device, feature))) return undefined;
  if (me.value?.role !== 'guest') return pageWords.problem.forbidden;
  if (!isSensitiveByItself(device)) return pageWords.rights.guestMarked;
  const isOf = (type: string, capability: RegExp): boolean =>
    device.type === type || device.features.some((one) => capability.test(one.capability));
  if (isOf('door_lock', /^locked$/)) return pageWords.rights.guestLock;
  if (isOf('garage', /^x\..*garage/)) return pageWords.rights.guestGarage;
  return isOf('water_valve', /valve/) ? pageWords.rights.guestValve : pageWords.rights.guestAlarm;
}
