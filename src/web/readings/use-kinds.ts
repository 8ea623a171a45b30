import type { Integration, IntegrationKind } from '#web/client/api.ts';
import type { Reading } from '#web/parts/use-reading.ts';
import { integrationIn, type IntegrationShown, kindIn, type KindShown } from '#web/strings/kind-words.ts';
import { INTEGRATION_CHANGES, useFresh } from './use-integrations.ts';

// The same functions each time: another one would read again.
const kindsIn = (kinds: readonly IntegrationKind[]): readonly KindShown[] => kinds.map((kind) => kindIn(kind));
const integrationsIn = (all: readonly Integration[]): readonly IntegrationShown[] =>
  all.map((one) => integrationIn(one));

/** The kinds that the hub knows. Which of them can be set up changes with the integrations. */
export function useKinds(): Reading<readonly KindShown[]> {
  return useFresh('/integration_kind', /^integration\.(?:added|removed)$/, kindsIn);
}

/** The integrations with names in the language of the page. They bring the words of all kinds with them. */
export function useNamedIntegrations(): Reading<readonly IntegrationShown[]> {
  return useFresh('/integration', INTEGRATION_CHANGES, integrationsIn);
}

/** The MQTT brokers through which the hub speaks. */
export function useBrokers(): readonly IntegrationShown[] {
  return (useNamedIntegrations().value ?? []).filter(({ kind }) => kind === 'mqtt');
}
