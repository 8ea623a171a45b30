import type { JsonValue } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { writesOf } from '#integrations/peer/source.ts';
import type { Components } from '#integrations/shelly/mapping/components.ts';
import type { Request, Source } from '#integrations/shelly/mapping/source.ts';

/** A request is sent for one component, and the component `from` shows the result. */
export type Sending = Request & { readonly from: string };

const FADING: ReadonlySet<string> = new Set(['Light.Set', 'RGB.Set', 'RGBW.Set', 'CCT.Set']);
/** The shortest that devices take; below it they refuse. */
const SHORTEST_FADE_S = 0.1;
const LONGEST_FADE_S = 10_800;

/** The requests of a command that fits the device: one for each method of each component. */
export function sendingsFromCommand(command: DeviceCommand, sources: readonly Source[]): readonly Sending[] {
  const { transitionMs } = command;
  const sendings = new Map<string, Sending>();
  for (const { source, write, value } of writesOf(command, sources)) {
    const { from } = source;
    const { method, params } = write(value);
    const place = `${from} ${method}`;
    const fade = transitionMs !== null && FADING.has(method) ? { transition_duration: fadeOf(transitionMs) } : {};
    sendings.set(place, { from, method, params: { ...sendings.get(place)?.params, ...params, ...fade } });
  }
  return [...sendings.values()];
}

function fadeOf(transitionMs: number): number {
  return Math.min(LONGEST_FADE_S, Math.max(SHORTEST_FADE_S, transitionMs / 1_000));
}

/** Both as one, if they go to the same place; the later one counts where they meet. */
export function mergeSendings(earlier: Sending, later: Sending): Sending | undefined {
  if (earlier.from !== later.from || earlier.method !== later.method) return undefined;
  return { ...later, params: { ...earlier.params, ...later.params } };
}

/** Reads a feature from the status of its component; `undefined` without one. */
export function readFrom({ from, read }: Source, components: Components): JsonValue | undefined {
  const status = components.get(from)?.status;
  return status === undefined ? undefined : read?.(status);
}
