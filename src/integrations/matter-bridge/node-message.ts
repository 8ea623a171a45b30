import type { JsonObject } from '#base/json.ts';
import type { LanPlace } from '#integrations/ports.ts';

/*
 * What the hub and the Matter node say to each other. The node is a process of its own: the hub decides and keeps, the
 * node speaks Matter. Both are always of the same version.
 */

/** The device types of Matter that the node has, each with one cluster that it is for. */
const ENDPOINT_KINDS = [
  'on_off_light',
  'dimmable_light',
  'color_temperature_light',
  'extended_color_light',
  'on_off_plug',
  'window_covering',
  'door_lock',
  'thermostat',
  'fan',
  'water_valve',
  'contact_sensor',
  'occupancy_sensor',
  'temperature_sensor',
  'humidity_sensor',
  'light_sensor',
  'water_leak_detector',
  'smoke_co_alarm',
  'generic_switch',
] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** An endpoint may have these parts beside those that each of its kind has. */
export type EndpointPart = 'battery' | 'power' | 'lift' | 'tilt' | 'cooling' | 'heating' | 'smoke' | 'co';

/** Attributes by the names of their clusters and their own. */
export type ClusterState = Readonly<Record<string, JsonObject>>;

/** One function of a device, as Matter's controllers see it. */
export type BridgedEndpoint = {
  /** Names it in Matter for ever, with its kind. */
  readonly id: string;
  readonly kind: EndpointKind;
  /** In the order of `ENDPOINT_KINDS`' parts; another set makes another endpoint of it, under the same number. */
  readonly parts: readonly EndpointPart[];
  readonly state: ClusterState;
};

/** A command of a controller, in the units of Matter. */
export type NodeCommand = {
  readonly seq: number;
  readonly endpoint: string;
  /** `on_off.on`, `level.set`, … */
  readonly name: string;
  readonly value: JsonObject;
  /** The fabric that gave it. */
  readonly fabric: number;
};

/** A home of another maker that the bridge is a part of. */
export type Fabric = { readonly index: number; readonly label: string; readonly vendorId: number };

/** `seconds`: for which the window stays open from now on. */
export type PairingCodes = { readonly manualCode: string; readonly qr: string; readonly seconds: number };

export type ToNode =
  | {
      readonly type: 'start';
      readonly port: number;
      readonly addresses: readonly LanPlace[];
      /** As the node gave it last; `null` for a new one. */
      readonly memory: string | null;
      /** The numbers of endpoints, as the hub remembers them. */
      readonly numbers: Readonly<Record<string, number>>;
      readonly about: { readonly id: string; readonly name: string; readonly version: string };
      readonly endpoints: readonly BridgedEndpoint[];
    }
  | { readonly type: 'addresses'; readonly addresses: readonly LanPlace[] }
  | { readonly type: 'rename'; readonly name: string }
  | { readonly type: 'put'; readonly endpoint: BridgedEndpoint }
  | { readonly type: 'remove'; readonly id: string }
  /** A press: `count` of them in a row, or one that is held, or its end. */
  | {
      readonly type: 'press';
      readonly id: string;
      readonly how: 'short' | 'hold' | 'release';
      readonly count: number;
    }
  | { readonly type: 'open_window'; readonly seconds: number }
  | { readonly type: 'close_window' }
  | { readonly type: 'remove_fabric'; readonly index: number }
  | { readonly type: 'answer'; readonly seq: number; readonly refusal: string | null }
  | { readonly type: 'kept'; readonly seq: number; readonly isKept: boolean };

export type FromNode =
  | { readonly type: 'started' }
  | { readonly type: 'failed'; readonly code: 'PORT_IN_USE' | 'NODE_FAILED'; readonly message: string }
  | { readonly type: 'command'; readonly command: NodeCommand }
  /** To be kept before it is answered. */
  | { readonly type: 'keep'; readonly seq: number; readonly text: string }
  | { readonly type: 'fabrics'; readonly fabrics: readonly Fabric[] }
  /** The numbers of endpoints, which are the same for ever. */
  | { readonly type: 'numbers'; readonly numbers: Readonly<Record<string, number>> }
  | {
      readonly type: 'window';
      readonly codes: PairingCodes | null;
      readonly why: WindowEnd | null;
      /** What it failed of, for the log. */
      readonly reason?: string;
    }
  /** An endpoint that Matter does not take, or anything else that went wrong and is over. */
  | { readonly type: 'fault'; readonly message: string }
  /** The last fabric has left: the node has to begin anew. */
  | { readonly type: 'left' }
  /** A fabric was joining that could not be kept: the node has to begin anew from what is on disk. */
  | { readonly type: 'not_joined' };

/** Why no window is open: `busy` where a controller has one of its own, `no_disk` where nobody who joins can be kept. */
export type WindowEnd = 'closed' | 'joined' | 'too_many_codes' | 'busy' | 'no_disk' | 'failed';
