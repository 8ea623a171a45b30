import type { automationTexts as en } from '#words/en/automations.ts';
import type { Translation } from '#words/texts.ts';

export const automationTexts: Translation<typeof en> = {
  BROKEN: 'Etwas, das sie nennt, gibt es nicht mehr.',
  LOCATION_NOT_SET: 'Sie braucht den Ort des Zuhauses, um die Sonne zu kennen.',
  NO_FIT: 'Etwas, das sie nennt, ist jetzt von anderer Art: Ein Teil von ihr tut nichts.',
  RIGHTS_MISSING:
    'Wer sie zuletzt gespeichert hat, hat ein Recht nicht mehr: Jemand mit den Rechten muss sie ihr geben.',
  TRIPPED: 'Sie tat in kurzer Zeit zu viel und ist deshalb für eine Weile angehalten.',
  SIGNER_GONE: 'Wer sie zuletzt gespeichert hat, ist nicht mehr da: Jemand mit den Rechten muss sie ihr geben.',
};
