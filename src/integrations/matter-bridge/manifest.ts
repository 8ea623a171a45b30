import { NO_PLACES } from '#core/integration/settings-shape.ts';
import { defineKind } from '#integrations/kind.ts';
import { words } from '#integrations/matter-bridge/words/en.ts';

export const matterBridge = defineKind({
  id: 'matter_bridge',
  ...words.kind,
  instances: 'one',
  settingsVersion: 1,
  settings: {
    expose: {
      type: 'places',
      ...words.settings.expose,
      default: NO_PLACES,
    },
    may: {
      type: 'choice',
      label: words.settings.may.label,
      hint: words.settings.may.hint,
      options: Object.entries(words.settings.may.options).map(([id, label]) => ({ id, label })),
      default: 'see',
    },
    token: {
      type: 'api_token',
      ...words.settings.token,
      advanced: true,
      optional: true,
    },
    port: {
      type: 'integer',
      ...words.settings.port,
      advanced: true,
      min: 1024,
      max: 65_535,
      default: 5540,
    },
  },
  rights: { control: ['device:control'], doors: ['device:control', 'device:control_sensitive'] },
  firstForm: { without: ['token'], values: { may: 'control' } },
  isBridge: true,
  file: 'matter/node.json',
  load: () => import('./matter-bridge.ts').then(({ createMatterBridge }) => ({ create: createMatterBridge })),
});
