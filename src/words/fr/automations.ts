import type { automationTexts as en } from '#words/en/automations.ts';
import type { Translation } from '#words/texts.ts';

export const automationTexts: Translation<typeof en> = {
  BROKEN: 'Quelque chose qu’elle nomme n’existe plus.',
  LOCATION_NOT_SET: 'Elle a besoin du lieu de la maison pour connaître le soleil.',
  NO_FIT: 'Quelque chose qu’elle nomme est maintenant d’un autre type : une partie d’elle ne fait rien.',
  RIGHTS_MISSING: 'La personne qui l’a enregistrée n’a plus un des droits : quelqu’un qui les a doit les lui donner.',
  TRIPPED: 'Elle a trop fait en peu de temps : elle est arrêtée pour un moment.',
  SIGNER_GONE: 'La personne qui l’a enregistrée n’est plus là : quelqu’un qui a les droits doit les lui donner.',
};
