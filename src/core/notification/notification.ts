import type { JsonObject } from '#base/json.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { Role } from '#core/person/user.ts';
import type { SceneId } from '#core/scene/scene.ts';
import type { Wording } from '#words/texts.ts';

declare const notificationId: unique symbol;
export type NotificationId = string & { readonly [notificationId]: never };

/** From the least to the most urgent. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Who gets a notification: a person, everyone of a role, or a channel. */
export type Recipient = `user:${string}` | `role:${Role}` | `channel:${string}`;

/** The people who live in the home, by their roles. Guests get only what names them. */
export const HOUSEHOLD: readonly Recipient[] = ['role:owner', 'role:admin', 'role:resident'];

/** The hub notices these causes by itself. Each can be switched off. */
export const BUILT_IN_KINDS = [
  'water',
  'smoke',
  'carbon_monoxide',
  'gas',
  'lock_jammed',
  'battery_low',
  'device_offline',
  'integration_down',
  'backup_failed',
  'disk_nearly_full',
  'history_paused',
] as const;
export type BuiltInKind = (typeof BUILT_IN_KINDS)[number];

/** The hub reports these to everyone who may be inside, also to people and screens that see another part of the home. */
const DANGERS = ['water', 'smoke', 'carbon_monoxide', 'gas'] as const satisfies readonly BuiltInKind[];
type Danger = (typeof DANGERS)[number];

export function isDanger(builtIn: string | null): builtIn is Danger {
  return DANGERS.some((one) => one === builtIn);
}

export type NotificationSource = {
  readonly kind: 'hub' | 'user' | 'api_token' | 'automation';
  /** The id of the user, token or automation; for the hub, the built-in kind. */
  readonly id: string;
};

/**
 * How far the hub knows that a channel got a notification. `accepted`: the other side has taken it, which does not mean
 * that a person saw it.
 */
type DeliveryState = 'accepted' | 'retrying' | 'failed';

export type ChannelDelivery = {
  readonly channel: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly atMs: number;
  /** In the hub's own words; `null` unless the last attempt failed. */
  readonly error: { readonly code: string; readonly message: string } | null;
};

/** A button: a scene, or a command in the form of the API. It has the rights of the person who presses it. */
export type NotificationAction = { readonly label: string } & (
  | { readonly sceneId: SceneId }
  | { readonly command: JsonObject }
);

export type Notification = {
  readonly id: NotificationId;
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  /** The id of what the hub itself says in both, for other languages. */
  readonly wording?: Wording;
  readonly to: readonly Recipient[];
  /** A later notification with the same key takes the place of this one. */
  readonly key: string | null;
  readonly builtIn: BuiltInKind | null;
  /** The device that it is about: people who do not see the device do not see this either. */
  readonly deviceId: DeviceId | null;
  readonly source: NotificationSource;
  readonly actions?: readonly NotificationAction[];
  /** How often it was shown under its key; for a digest the number of notifications in it. */
  readonly count: number;
  /** Hub time, as the others. */
  readonly createdAtMs: number;
  /** When its present content was shown. */
  readonly updatedAtMs: number;
  /** A critical one comes again after this long, until somebody acknowledges it. */
  readonly repeatS: number | null;
  readonly acknowledged: { readonly atMs: number; readonly by: string } | null;
  readonly resolvedAtMs: number | null;
  readonly deliveries: readonly ChannelDelivery[];
};

/** Somebody wants to have this shown. */
export type NotificationContent = Pick<
  Notification,
  'severity' | 'title' | 'text' | 'wording' | 'to' | 'key' | 'deviceId' | 'source' | 'actions' | 'repeatS'
>;

export const MAX_KEPT = 500;
export const KEPT_DAYS = 90;
export const MAX_TITLE_LENGTH = 200;
export const MAX_TEXT_LENGTH = 2_000;
export const MAX_RECIPIENTS = 20;
export const MAX_ACTIONS = 3;
/** The limit of a command as JSON: 500 notifications are kept in memory. */
export const MAX_COMMAND_LENGTH = 2_000;
export const REPEAT_S = { min: 60, max: 86_400, usual: 300 } as const;

/** Neither acknowledged by a person nor over. */
export function isOpen({ acknowledged, resolvedAtMs }: Pick<Notification, 'acknowledged' | 'resolvedAtMs'>): boolean {
  return acknowledged === null && resolvedAtMs === null;
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);
}

export function isAddressedTo(
  to: readonly Recipient[],
  { id, role }: { readonly id: string; readonly role: Role },
): boolean {
  return to.some((one) => one === `user:${id}` || one === `role:${role}`);
}

/** Whether a notification is for the home and not only for some people or channels by name. */
export function isForHome(to: readonly Recipient[]): boolean {
  return to.some((one) => one.startsWith('role:'));
}

declare module '#core/event/event.ts' {
  interface HomeEvents {
    'notification.added': { readonly notification: Notification };
    /** Its content or state, or it comes again because nobody has acknowledged it. */
    'notification.changed': { readonly notification: Notification };
  }
}
