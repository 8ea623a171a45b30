import { LEASE_S } from '#core/provider/provider.ts';
import { defineKind } from '#integrations/kind.ts';

export const provider = defineKind({
  id: 'provider',
  name: 'Script',
  about: 'Devices that a script of your own brings in over the API, with an API token for its name.',
  instances: 'many',
  settingsVersion: 1,
  settings: {
    lease_s: {
      type: 'integer',
      label: 'Seconds of silence until its devices are offline',
      hint: 'The script may set it, too',
      min: LEASE_S.min,
      max: LEASE_S.max,
      default: LEASE_S.usual,
    },
  },
  comesByItself: true,
  load: () => import('./provider.ts').then(({ createProvider }) => ({ create: createProvider })),
});
