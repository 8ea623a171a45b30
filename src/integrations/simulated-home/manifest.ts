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
  config: { enabled: 'simulate' },
  load: () => import('./simulated-home.ts').then(({ createSimulatedHome }) => ({ create: createSimulatedHome })),
});
