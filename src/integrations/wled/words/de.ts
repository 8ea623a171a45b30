import { frame } from '#integrations/words/de.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'WLED',
    about: 'LED-Streifen und Lampen mit der Firmware WLED, jeweils mit Segmenten, Effekten und Voreinstellungen.',
    help: [
      'Verbinde die Lampe mit der WLED-App oder über ihre eigene Seite mit deinem Netz.',
      'Der Hub findet sie oder nimmt ihre Adresse. Jede Lampe wird für sich eingerichtet.',
      'Ihre Adresse steht in der WLED-App und in der Geräteliste deines Routers.',
    ],
  },
  settings: { host: { label: 'Adresse der Lampe', hint: 'Zum Beispiel 192.168.1.30.' } },
  steps: frame.steps,
  faults: {
    ...frame.faults,
    no_light: 'Ist nicht die Adresse einer WLED-Lampe',
    other_light: 'Ist die Adresse einer anderen Lampe als der gefundenen',
    busy: 'Ist die einer Lampe, die zu viel zu tun hat: Versuche es gleich noch einmal',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  LIGHT_UNREACHABLE: 'Die Lampe ist nicht erreichbar',
  LIGHT_SILENT: 'Die Lampe meldet sich nicht',
  LIGHT_BUSY: 'Die Lampe ist beschäftigt',
  BAD_ANSWER: 'Die Antwort von dort ist nicht zu verstehen',
  OTHER_LIGHT: 'Dort antwortet eine andere Lampe',
};
