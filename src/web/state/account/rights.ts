import type { Device, Feature } from '#web/client/api.ts';
import { RIGHTS_OF_ROLE, ROLES, SENSITIVE } from '#web/client/vocabulary.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

/** The page asks these tables of the hub so that it does not offer what the hub would refuse. The hub decides. */
export type Right = (typeof RIGHTS_OF_ROLE.owner)[number];
const RIGHTS: Readonly<Record<(typeof ROLES)[number], readonly Right[]>> = RIGHTS_OF_ROLE;

/** An unknown role has the rights that every role has. */
export function rightsOf(role: string | undefined): readonly Right[] {
  return RIGHTS[ROLES.find((one) => one === role) ?? 'guest'];
}

/** The roles that a person of this role may give, and whose accounts they may change. */
export function rolesUnder(role: string): readonly string[] {
  const own = rightsOf(role);
  return own.includes('user:manage') ? ROLES.filter((one) => RIGHTS[one].every((right) => own.includes(right))) : [];
}

/** The words instead of a page that this person may not see. */
export function refusedPageWords(right: Right): string {
  if (RIGHTS.resident.includes(right)) return pageWords.rights.notGuests;
  return RIGHTS.admin.includes(right) ? pageWords.rights.adminsOnly : pageWords.rights.ownerOnly;
}

type Subject = Pick<Device, 'type' | 'features' | 'sensitive'>;

const SENSITIVE_TYPES: ReadonlySet<string> = new Set(SENSITIVE.types);
const ENTRANCES: ReadonlySet<string> = new Set(SENSITIVE.entrances);

/** Whether every command to the device can let someone in, flood the home, or raise or silence an alarm. */
function isSensitiveDevice({ type, features, sensitive }: Subject): boolean {
  if (SENSITIVE_TYPES.has(type) || features.some(isEntrance)) return true;
  // No feature is the reason: a person marked the device.
  return sensitive && !features.some(({ capability }) => SENSITIVE.requests.test(capability));
}

function isEntrance({ capability }: Pick<Feature, 'capability'>): boolean {
  return ENTRANCES.has(capability) || SENSITIVE.garage.test(capability);
}

/** Whether the device is sensitive, as a whole or in a part, without anyone having marked it. */
export function isSensitiveByItself({ type, features }: Pick<Subject, 'type' | 'features'>): boolean {
  const isSensitive = (one: Feature): boolean => isEntrance(one) || SENSITIVE.requests.test(one.capability);
  return SENSITIVE_TYPES.has(type) || features.some(isSensitive);
}

/** The right to use the feature; without a feature, to use the device at all. */
export function rightToControl(device: Subject, feature?: Pick<Feature, 'capability'>): Right {
  const isSensitive =
    isSensitiveDevice(device) || (feature !== undefined && SENSITIVE.requests.test(feature.capability));
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
