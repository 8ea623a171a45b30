import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { ClusterState, EndpointKind, EndpointPart } from '#integrations/matter-bridge/node-message.ts';
import type { AskedElsewhere } from '#integrations/ports.ts';

/** One function of a device as Matter has it, made of some of its features. */
export type Mapped = {
  readonly kind: EndpointKind;
  readonly parts: readonly EndpointPart[];
  /** The feature that it is for: it names the endpoint, and its key identifies it for ever. */
  readonly main: Feature;
  readonly used: readonly Feature[];
  /** Attributes for the values that the device has now. */
  readonly state: (device: Device) => ClusterState;
  /** What reads a command of a controller, by its name. */
  readonly commands: ReadonlyMap<string, ReadCommand>;
};

/** `undefined` for what says nothing that the device knows. */
export type ReadCommand = (value: JsonObject, device: Device) => AskedElsewhere | undefined;

export function valueOf({ states }: Pick<Device, 'states'>, feature: Feature | undefined): JsonValue {
  return feature === undefined ? null : (states.get(feature.key)?.value ?? null);
}

export function numberOf(device: Pick<Device, 'states'>, feature: Feature | undefined): number | null {
  const value = valueOf(device, feature);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

/** Brings a wish of a controller within the limits of the feature, and to one of its steps. */
export function fitting({ min, max, step }: Feature, wanted: number): number {
  const stepped = step === null || step <= 0 ? wanted : Math.round(wanted / step) * step;
  return Number(clamp(stepped, min ?? -Infinity, max ?? Infinity).toFixed(3));
}

/** Hundredths of a unit, as Matter has temperatures and shares. */
export function hundredths(value: number | null, [min, max]: readonly [number, number]): number | null {
  return value === null ? null : clamp(Math.round(value * 100), min, max);
}

/** A command without a value. */
export function asking(set: JsonObject): ReadCommand {
  return () => ({ set });
}

/** Matter has tenths of a second. */
export function timed(transition: JsonValue | undefined): { readonly transitionMs?: number } {
  return typeof transition === 'number' && transition > 0 ? { transitionMs: Math.round(transition * 100) } : {};
}
