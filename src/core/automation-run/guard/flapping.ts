import { isSameJson, type JsonValue } from '#base/json.ts';

/** The commands that automations gave lately, by feature, the one with the newest last. */
export type Flapping = Map<string, NotedCommand[]>;
type NotedCommand = { readonly atMs: number; readonly run: string; readonly value: JsonValue };

const WITHIN_MS = 10_000;
export const MOST_COMMANDS = 10;
/** Beyond these, the feature that has been quiet for longest is forgotten. */
const MAX_FEATURES = 2_000;

/**
 * Notes a command. `true` where automations have moved this feature back and forth ten times within ten seconds: two
 * rules fight over a lamp. A run that makes a lamp flash does what its steps say, so of the commands of one run in
 * sequence only the last counts.
 */
export function noteCommand(flapping: Flapping, feature: string, command: NotedCommand): boolean {
  const earlier = flapping.get(feature) ?? [];
  const recent = earlier.filter(({ atMs }) => atMs <= command.atMs && command.atMs - atMs < WITHIN_MS);
  if (recent.at(-1)?.run === command.run) recent.pop();
  recent.push(command);
  flapping.delete(feature);
  flapping.set(feature, recent.slice(-MOST_COMMANDS));
  if (flapping.size > MAX_FEATURES) {
    const [oldest] = flapping.keys();
    if (oldest !== undefined) flapping.delete(oldest);
  }
  return recent.length >= MOST_COMMANDS && isBackAndForth(recent);
}

/** A dimmer that is turned up step by step is no fight: something must come back to an earlier value. */
function isBackAndForth(commands: readonly NotedCommand[]): boolean {
  const last = commands.at(-1);
  const other = last === undefined ? -1 : commands.findLastIndex(({ value }) => !isSameJson(value, last.value));
  return last !== undefined && commands.slice(0, Math.max(0, other)).some(({ value }) => isSameJson(value, last.value));
}
