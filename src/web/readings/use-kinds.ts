import type { IntegrationKind } from '#web/client/api.ts';
import type { Reading } from '#web/parts/use-reading.ts';
import { kindIn, type KindShown } from '#web/strings/kind-words.ts';
import { useFresh } from './use-integrations.ts';

/** The kinds that the hub knows. Which of them can be set up changes with the integrations. */
export function useKinds(): Reading<readonly KindShown[]> {
  return useFresh('/integration_kind', /^integration\.(?:added|removed)$/, (kinds: readonly IntegrationKind[]) =>
    kinds.map((kind) => kindIn(kind)),
  );
}
