import { defineKind } from '#integrations/kind.ts';
import { words } from '#integrations/simulated-home/words/en.ts';

export const simulatedHome = defineKind({
  id: 'simulated_home',
  firstId: 'simulated-home',
  ...words.kind,
  instances: 'one',
  settingsVersion: 1,
  settings: {},
  canPair: true,
  config: { enabled: 'simulate' },
  load: () => import('./simulated-home.ts').then(({ createSimulatedHome }) => ({ create: createSimulatedHome })),
});
