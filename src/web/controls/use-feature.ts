import type { Feature } from '#web/client/api.ts';
import { isUnavailable } from '#web/state/device/device-facts.ts';
import { useHub } from '#web/hub.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { dropPending } from '#web/state/pending-values.ts';
import { riskOf } from '#web/state/questions.ts';
import { refusalOf } from '#web/state/account/rights.ts';

/** A feature as a control shows and changes it. */
type Control = {
  readonly feature: Feature;
  /** The pending value, or else the one that the hub knows. */
  readonly value: unknown;
  /** The quality that the hub gives the value, or the stage of a pending value. */
  readonly trust: string;
  readonly isDisabled: boolean;
  readonly set: (value: unknown, isPassing?: boolean) => void;
};

export function useControl(entry: DeviceEntry, feature: Feature): Control {
  const { account, commands, questions } = useHub();
  const device = entry.device.value;
  return {
    feature,
    ...shownOf(entry, feature),
    isDisabled: isUnavailable(device) || !feature.writable || refusalOf(account, device, feature) !== undefined,
    set: (value, isPassing = false) => {
      const risk = riskOf(device, feature, value);
      if (risk === undefined) commands.set(entry, feature.key, { value, isPassing });
      else if (!isPassing) {
        // A stepper shows its value before it is sent.
        const drop = (): void => dropPending({ entry, key: feature.key }, { value, stage: 'asked' });
        questions.ask(risk, () => commands.set(entry, feature.key, { value }), drop);
      }
    },
  };
}

/** A value and how far it can be trusted. */
export function shownOf(entry: DeviceEntry, feature: Feature): { readonly value: unknown; readonly trust: string } {
  const pending = entry.pending.value.get(feature.key);
  if (pending === undefined) return { value: feature.value, trust: feature.quality };
  return { value: pending.value, trust: pending.stage === 'asked' ? 'assumed' : pending.stage };
}

export function shownValue(entry: DeviceEntry, feature: Feature | undefined): unknown {
  return feature === undefined ? undefined : shownOf(entry, feature).value;
}

/** Runs a feature of the kind `action`. */
export function useAction(entry: DeviceEntry, feature: Feature): Pick<Control, 'isDisabled'> & { act: () => void } {
  const { account, commands, questions } = useHub();
  const device = entry.device.value;
  return {
    isDisabled: isUnavailable(device) || refusalOf(account, device, feature) !== undefined,
    act: () => {
      const risk = riskOf(device, feature, undefined);
      const act = (): void => commands.act(entry, feature);
      if (risk === undefined) act();
      else questions.ask(risk, act);
    },
  };
}
