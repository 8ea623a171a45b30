import type { JsonValue } from '#base/json.ts';

/**
 * An integration gets either values or an action for one device. The hub has read it right before, so each key is a
 * writable feature of the device and each value fits it.
 */
export type DeviceCommand = {
  readonly externalId: string;
  /** Values by feature key; empty for an action. */
  readonly set: ReadonlyMap<string, JsonValue>;
  /** Key of the action feature. */
  readonly action: string | null;
  readonly transitionMs: number | null;
};

/** How far a sent command is known to have come. State reports reach the hub separately. */
export type SendEvidence = 'none' | 'transport_ack' | 'device_ack';

/** At most so many messages in any such time. */
export type Pace = { readonly messages: number; readonly everyMs: number };

/** A mesh loses messages when sixty come at once. */
export const USUAL_PACE: Pace = { messages: 20, everyMs: 100 };

/** How commands reach the devices of one integration. */
export type CommandWay = {
  readonly isUp: () => boolean;
  /** Sends the request and resolves with what the integration then knows of its arrival. Throws HubError while down. */
  readonly send: (command: DeviceCommand) => Promise<SendEvidence>;
  /** Sends what was given together; one outcome for each, in their order. Absent where there is no shorter way. */
  readonly sendGroup?: (commands: readonly DeviceCommand[]) => readonly Promise<SendEvidence>[];
  /**
   * Finds the parts of what was given together that `sendGroup` can send as one message each; it then gets one such
   * part at a time. Absent where `sendGroup` takes all and sees to that itself.
   */
  readonly findGroups?: (commands: readonly DeviceCommand[]) => readonly (readonly DeviceCommand[])[];
  /** Absent where the integration keeps a pace of its own. */
  readonly pace?: Pace | undefined;
  /**
   * No answer of a device reaches the hub before the present work is over. So a command may leave before the hub tells
   * that it was sent: somebody waits for the lamp.
   */
  readonly answersLater?: boolean | undefined;
};
