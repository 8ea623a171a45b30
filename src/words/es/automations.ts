import type { automationTexts as en } from '#words/en/automations.ts';
import type { Translation } from '#words/texts.ts';

export const automationTexts: Translation<typeof en> = {
  BROKEN: 'Algo que nombra ya no existe.',
  LOCATION_NOT_SET: 'Necesita el lugar de la casa para saber del sol.',
  NO_FIT: 'Algo que nombra es ahora de otro tipo: una parte no hace nada.',
  RIGHTS_MISSING: 'A quien la guardó le falta un permiso: alguien con los permisos tiene que dárselos.',
  TRIPPED: 'Hizo demasiado en poco tiempo, por eso está detenida por un rato.',
  SIGNER_GONE: 'Quien la guardó ya no está: alguien con los permisos tiene que dárselos.',
};
