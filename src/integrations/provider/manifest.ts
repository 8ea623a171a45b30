import { LEASE_S } from '#core/provider/provider.ts';
import { defineKind } from '#integrations/kind.ts';
import { words } from '#integrations/provider/words/en.ts';

export const provider = defineKind({
  id: 'provider',
  ...words.kind,
  instances: 'many',
  settingsVersion: 1,
  settings: {
    lease_s: {
      type: 'integer',
      ...words.settings.lease_s,
      min: LEASE_S.min,
      max: LEASE_S.max,
      default: LEASE_S.usual,
    },
  },
  comesByItself: true,
  load: () => import('./provider.ts').then(({ createProvider }) => ({ create: createProvider })),
});
