import { frame } from '#integrations/words/fr.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Appareils Matter',
    about: 'Des appareils à code Matter, par votre propre réseau et sans le cloud de leurs fabricants.',
    pairingHint:
      'Saisissez le numéro imprimé sur l’appareil ou dans sa notice, ou le texte de son code QR. Un appareil déjà présent dans une autre app a besoin d’un nouveau code : partagez-le depuis cette app.',
    removalHint:
      'D’abord, chacun de ses appareils est prié d’oublier cette maison. Celui qui ne répond pas garde ses clés et n’obéit à aucune autre maison tant que vous ne l’avez pas réinitialisé.',
    help: [
      'Connectez d’abord l’appareil à votre réseau : par câble, ou, pour le Wi-Fi et Thread, avec l’app du fabricant ou votre téléphone.',
      'S’il est déjà dans une app, partagez-le depuis celle-ci : elle donne un code pour le hub.',
      'Saisissez ensuite le code ici, et ceux d’autres appareils dans Ajouter des appareils.',
    ],
  },
  settings: {
    port: frame.udpPort,
    code: {
      label: 'Code du premier appareil',
      hint: 'Le numéro imprimé dessus ou le texte de son code QR. Sans lui, les appareils sont ajoutés plus tard',
    },
  },
  steps: {
    starting: 'Démarrage de Matter…',
    searching: 'Recherche de l’appareil…',
    found: 'Appareil trouvé…',
    attesting: 'Vérification de l’appareil…',
    joining: 'L’appareil rejoint votre maison…',
    reading: 'L’appareil dit ce qu’il sait faire…',
  },
  faults: {
    empty_code: 'Est vide',
    not_a_code: 'N’est ni le numéro d’un appareil Matter ni le texte de son code QR, qui commence par MT:',
    wrong_length: 'N’a pas la longueur d’un code : le numéro a 11 ou 21 chiffres',
    mistyped: 'Est mal saisi : le dernier chiffre ne va pas avec les autres',
    several_devices: 'Est le code de plusieurs appareils : utilisez celui de chacun',
    newer_version: 'Est d’un genre plus récent que ceux que le hub connaît',
    forbidden_code: 'Est un code qu’aucun appareil ne peut avoir',
    not_found:
      'Aucun appareil ne répond à ce code. Est-il allumé et prêt à être ajouté ? S’il est déjà dans une autre app, partagez-le depuis celle-ci et utilisez le nouveau code.',
    wrong_code: 'L’appareil est là, mais ce n’est pas son code.',
    no_answer: 'L’appareil était là, mais ne répond plus. Réessayez.',
    already_here: 'L’appareil est déjà dans cette maison.',
    in_another_home:
      'L’appareil est dans une autre maison, qui ne l’a pas ouvert. Partagez-le depuis l’app qui l’a et utilisez le code qu’elle affiche.',
    too_many_homes: 'L’appareil est déjà dans autant d’apps que possible. Retirez-le de l’une d’elles.',
    not_genuine: 'L’appareil n’a pas pu prouver ce qu’il prétend être. Il n’a pas été ajouté.',
    no_network:
      'Ajoutez d’abord l’appareil avec votre téléphone pour qu’il rejoigne votre réseau. Partagez-le ensuite depuis celui-ci et utilisez le nouveau code.',
    cancelled: 'Arrêté.',
    timed_out: 'L’appareil a mis trop de temps. Réessayez.',
    no_disk: 'Le disque du hub n’accepte plus rien.',
    failed: 'L’appareil n’a pas pu être ajouté.',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  MATTER_KEYS_LOST: 'Les clés de cette maison manquent : réinitialisez chaque appareil et ajoutez-le de nouveau',
  MATTER_NOT_KEPT: 'Le disque n’accepte pas ce que Matter doit retenir',
};
