import { defineKind } from '#integrations/kind.ts';

export const simulatedHome = defineKind({
  id: 'simulated_home',
  firstId: 'simulated-home',
  name: 'Simulated home',
  about: 'Devices without hardware, to try the hub.',
  instances: 'one',
  settingsVersion: 1,
  settings: {},
  canPair: true,
  pairingHint:
    'New devices appear a few seconds after the search starts. One of them fails at first, as real ones sometimes do.',
  config: { enabled: 'simulate' },
  load: () => import('./simulated-home.ts').then(({ createSimulatedHome }) => ({ create: createSimulatedHome })),
});
