import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';

export type IntegrationJson = {
  readonly id: string;
  readonly name: string;
  /** `connected`, `connecting`, `error` or `off`. */
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly devices: number;
  readonly can_pair: boolean;
  readonly is_set_up: boolean;
};

/** The ways to reach devices, as they are at the moment; `null` until they were told. */
export function useIntegrations(): {
  readonly integrations: ReadonlySignal<readonly IntegrationJson[] | null>;
  readonly fault: string | undefined;
  readonly read: () => Promise<void>;
} {
  const { client, events, live } = useHub();
  const integrations = useSignal<readonly IntegrationJson[] | null>(null);
  const [fault, setFault] = useState<string | undefined>();
  const isConnected = live.isConnected.value === true;
  const read = useCallback(async () => {
    setFault(await wordsIfRefused(async () => (integrations.value = await client.call('GET', '/integration'))));
  }, [client, integrations]);
  // Also after each interruption: what changed meanwhile may not be told again.
  useEffect(() => {
    if (isConnected) void read();
  }, [read, isConnected]);
  useEffect(
    () =>
      events.listen(({ type }) => {
        if (type === 'integration.changed') void read();
      }),
    [events, read],
  );
  return { integrations, fault, read };
}
