import type { Behavior } from '@matter/main';
import type { JsonObject } from '#base/json.ts';

/** Gives a command of a controller to the hub. Rejects with a StatusResponseError where the hub refuses it. */
export type AskHub = (asked: CommandOrigin, name: string, value?: JsonObject) => Promise<void>;
/** Where the command came in, and from whom. */
export type CommandOrigin = Pick<Behavior, 'endpoint' | 'context'>;
