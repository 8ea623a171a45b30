import { frame } from '#integrations/words/fr.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'WLED',
    about: 'Rubans LED et lampes avec WLED, chacun avec ses segments, effets et préréglages.',
    help: [
      'Reliez la lampe à votre réseau avec l’application WLED ou sa propre page.',
      'Le hub la trouve, ou prend son adresse. Chaque lampe s’installe à part.',
      'Son adresse se trouve dans l’application WLED, et dans la liste des appareils de votre box.',
    ],
  },
  settings: { host: { label: 'Adresse de la lampe', hint: 'Par exemple 192.168.1.30.' } },
  steps: frame.steps,
  faults: {
    ...frame.faults,
    no_light: 'N’est pas l’adresse d’une lampe WLED',
    other_light: 'Est l’adresse d’une autre lampe que celle trouvée',
    busy: 'Est celle d’une lampe trop occupée : réessayez dans un instant',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  LIGHT_UNREACHABLE: 'La lampe est injoignable',
  LIGHT_SILENT: 'La lampe ne donne pas signe',
  LIGHT_BUSY: 'La lampe est occupée',
  BAD_ANSWER: 'La réponse n’est pas compréhensible',
  OTHER_LIGHT: 'Une autre lampe y répond',
};
