import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const ruleHooks: Dictionary['ruleHooks'] = {
  title: 'Llamada por otros programas',
  text: 'Un programa de tu red inicia esta automatización cuando llama a esta dirección con un secreto.',
  address: 'Dirección',
  addressOf: (trigger) => `Dirección (${trigger})`,
  none: 'Aún no tiene secreto: solo pueden llamarla personas y tokens de API que puedan iniciar automatizaciones.',
  valid: (at, name) => `Tiene un secreto, creado por ${name}: ${at}.`,
  lapsed: (name) => `Su secreto ya no vale: ${name}, que lo creó, no puede cambiar esta automatización ahora.`,
  secretFor: 'Quien pueda cambiar esta automatización puede crearle un secreto.',
  make: 'Crear un secreto',
  renew: 'Crear un secreto nuevo',
  renewQuestion: '¿Crear un secreto nuevo?',
  renewText: 'El programa que llama a esta dirección necesita el nuevo: el actual termina al momento.',
  takeBack: 'Retirar el secreto',
  takeBackQuestion: '¿Retirar el secreto?',
  takeBackText: 'El programa que lo tiene ya no podrá iniciar esta automatización.',
  tookBack: 'El secreto ya no vale.',
  secret: 'Secreto',
  once: 'Cópialo ahora: el hub no lo guarda y solo lo muestra una vez.',
  call: (address, secret) => `curl -X POST -H "Hearthd-Hook: ${secret}" ${address}`,
};
