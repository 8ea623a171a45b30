import { defineKind } from '#integrations/kind.ts';
import { MATTER_SETTINGS } from './matter-settings.ts';

/** Devices that speak Matter, taken into this home by their code. */
export const matter = defineKind({
  id: 'matter',
  name: 'Matter devices',
  about: 'Devices with a Matter code, over your own network and without the cloud of their makers.',
  instances: 'one',
  settingsVersion: 1,
  settings: MATTER_SETTINGS,
  canPair: true,
  pairsByCode: true,
  file: 'matter/home.json',
  pairingHint:
    'Type the number that is printed on the device or in its manual, or the text of its QR code. A device that another app already has needs a new code from there: share it in that app.',
  removalHint:
    'First the hub asks each of its devices to forget this home. One that does not answer keeps its keys, and obeys no other home until you reset it.',
  help: [
    'Connect the device to your network first: by cable, or with its maker’s app or your phone for Wi-Fi and Thread.',
    'If an app has it already, share it there: that gives a code for the hub.',
    'Then enter the code here, and those of more devices under Add devices.',
  ],
  load: () => import('./matter.ts').then(({ matterCode }) => matterCode),
});
