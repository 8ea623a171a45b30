import { frame } from '#integrations/words/fr.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Pont Matter',
    about: 'Vos appareils dans Apple Home, Google Home, Alexa et SmartThings, par votre seul réseau.',
    help: [
      'Choisissez les pièces et les appareils, et ce que les autres apps peuvent en faire.',
      'Ouvrez le pont à l’appairage. Scannez son code avec l’autre app, ou tapez le numéro.',
      'Pour une deuxième app, ouvrez-le encore : plusieurs peuvent avoir le pont à la fois.',
    ],
  },
  settings: {
    expose: { label: 'Appareils partagés', hint: frame.exposeHint },
    may: {
      label: 'Les autres apps peuvent',
      hint: 'Serrures, garages, alarmes et vannes seulement si chacun est choisi à part ci-dessus',
      options: {
        see: 'seulement voir ce qui est proposé',
        control: 'utiliser ce qui est proposé, sans rien ouvrir',
        doors: 'utiliser ce qui est proposé, serrures et portes comprises',
      },
    },
    token: {
      label: 'Jeton d’API à vous',
      hint: 'Les commandes venues de là ont alors ses droits, quoi que disent ceux du dessus',
    },
    port: frame.udpPort,
  },
  ends: {
    closed: 'le temps est écoulé',
    joined: 'une autre maison a maintenant le pont',
    too_many_codes: 'trop de codes faux sont venus',
    busy: 'une autre maison a elle-même ouvert le pont. Fermez-le d’abord là-bas',
    no_disk: 'le disque est plein, donc aucune maison ne peut s’ajouter',
    failed: 'il n’a pas pu être ouvert',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  STATE_LOST:
    'Le fichier des autres maisons est endommagé ou manque : retirez le pont de leurs apps, puis appairez-le de nouveau',
  STATE_NOT_KEPT:
    'Le disque n’accepte plus rien : ni maison ni appareil ne peut s’ajouter, et aucune maison ne peut partir',
};
