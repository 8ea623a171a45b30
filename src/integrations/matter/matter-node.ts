import type { JsonObject, JsonValue } from '#base/json.ts';

/*
 * Nodes of other makers, as the process of the controller tells of them. Clusters, attributes, commands, events, fields
 * and flags go by their names in the standard's model, in camelCase: `onOff.onOff`, `levelControl.currentLevel`,
 * `colorControl.colorTemperatureMireds`. An enum is its number, a bitmap an object of its flags, a struct an object of
 * its fields. A whole number is a number where JavaScript has it exactly and else a text of digits; bytes are a text of
 * hexadecimal digits. What has no name in the model goes by `cluster$fff1fc00`, `attribute$3`, in lower case.
 */

/** Attributes by the names of their clusters and their own. What the node has not told yet is absent. */
type ClusterState = Readonly<Record<string, JsonObject>>;

export type MatterEndpoint = {
  /** 0 is the node itself. */
  readonly number: number;
  /** The endpoint whose `descriptor.partsList` has this one, and of several the nearest; `null` of the node itself. */
  readonly parent: number | null;
  /** The types in `descriptor.deviceTypeList`. */
  readonly deviceTypes: readonly number[];
  readonly state: ClusterState;
  /** Names of the commands that it takes, by cluster. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  /** Names of the flags in `featureMap` that are set, by cluster. */
  readonly features: Readonly<Record<string, readonly string[]>>;
};

export type MatterNode = {
  /** In this home's fabric: digits, because it may have 64 bits. */
  readonly nodeId: string;
  readonly endpoints: readonly MatterEndpoint[];
};

export type MatterChange = {
  readonly endpoint: number;
  readonly cluster: string;
  readonly attribute: string;
  readonly value: JsonValue;
};

/** An event: it happens and leaves no value. */
export type MatterOccurrence = {
  readonly endpoint: number;
  readonly cluster: string;
  readonly event: string;
  readonly data: JsonObject;
};

/** A node is asked to do a command, or to take a value. */
export type MatterAsk = MatterInvoke | MatterWrite;

export type MatterInvoke = {
  readonly endpoint: number;
  readonly cluster: string;
  readonly command: string;
  /** The fields that the standard demands are there; a bitmap is an object of its flags. */
  readonly fields: JsonObject;
  /** The standard wants it as a timed interaction. */
  readonly timed: boolean;
};

export type MatterWrite = {
  readonly endpoint: number;
  readonly cluster: string;
  readonly write: string;
  readonly value: JsonValue;
};
