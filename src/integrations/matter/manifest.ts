import { defineKind } from '#integrations/kind.ts';
import { MATTER_SETTINGS } from './matter-settings.ts';
import { words } from '#integrations/matter/words/en.ts';

/** Devices that speak Matter, taken into this home by their code. */
export const matter = defineKind({
  id: 'matter',
  ...words.kind,
  instances: 'one',
  settingsVersion: 1,
  settings: MATTER_SETTINGS,
  canPair: true,
  pairsByCode: true,
  file: 'matter/home.json',
  load: () => import('./matter.ts').then(({ matterCode }) => matterCode),
});
