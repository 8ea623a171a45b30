import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const ruleHooks: Dictionary['ruleHooks'] = {
  title: 'Appelée par d’autres programmes',
  text: 'Un programme de votre réseau lance cette automatisation quand il appelle cette adresse avec un secret.',
  address: 'Adresse',
  addressOf: (trigger) => `Adresse (${trigger})`,
  none: 'Elle n’a pas encore de secret : seuls les personnes et jetons d’API qui peuvent lancer des automatisations peuvent l’appeler.',
  valid: (at, name) => `Elle a un secret, créé par ${name} : ${at}.`,
  lapsed: (name) =>
    `Son secret ne vaut plus rien : ${name}, qui l’a créé, ne peut pas modifier cette automatisation maintenant.`,
  secretFor: 'Qui peut modifier cette automatisation peut lui créer un secret.',
  make: 'Créer un secret',
  renew: 'Créer un nouveau secret',
  renewQuestion: 'Créer un nouveau secret ?',
  renewText: 'Le programme qui appelle cette adresse a besoin du nouveau : l’actuel cesse aussitôt.',
  takeBack: 'Reprendre le secret',
  takeBackQuestion: 'Reprendre le secret ?',
  takeBackText: 'Le programme qui l’a ne pourra plus lancer cette automatisation.',
  tookBack: 'Le secret ne vaut plus rien.',
  secret: 'Secret',
  once: 'Copiez-le maintenant : le hub ne le garde pas et ne le montre qu’une fois.',
  call: (address, secret) => `curl -X POST -H "Hearthd-Hook: ${secret}" ${address}`,
};
