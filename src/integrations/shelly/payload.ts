import type { JsonObject, JsonValue } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { type OnRefused, readFeature } from '#core/feature/peer-value.ts';
import type { Components } from '#integrations/shelly/mapping/components.ts';
import type { Request, Source } from '#integrations/shelly/mapping/source.ts';

/** What is sent for one component: a request, and the component that shows what came of it. */
export type Sending = Request & { readonly from: string };

const FADING: ReadonlySet<string> = new Set(['Light.Set', 'RGB.Set', 'RGBW.Set', 'CCT.Set']);
/** The shortest that devices take; below it they refuse. */
const SHORTEST_FADE_S = 0.1;
const LONGEST_FADE_S = 10_800;

/** The requests of a command that fits the device: one for each method of each component. */
export function sendingsFromCommand(
  { set, action, transitionMs }: DeviceCommand,
  sources: readonly Source[],
): readonly Sending[] {
  const sendings = new Map<string, Sending>();
  const values = new Map<string, JsonValue>(action === null ? set : [...set, [action, null]]);
  // In the order of the features: what a person says of a switch counts more than that a brightness switches it on.
  for (const { from, feature, write } of sources) {
    const value = values.get(feature.key);
    if (value === undefined || write === undefined) continue;
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

/** The values of a device that its features can have, of these components or of all. */
export function valuesFrom(
  sources: readonly Source[],
  components: Components,
  { changed, onRefused }: { readonly changed?: ReadonlySet<string> | undefined; readonly onRefused?: OnRefused } = {},
): ReadonlyMap<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  for (const { from, feature, read } of sources) {
    if (changed !== undefined && !changed.has(from)) continue;
    const status: JsonObject | undefined = components.get(from)?.status;
    const value = status === undefined ? undefined : readFeature(feature, () => read(status), onRefused);
    if (value !== undefined) values.set(feature.key, value);
  }
  return values;
}
