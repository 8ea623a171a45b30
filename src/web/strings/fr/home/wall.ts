import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const wall: Dictionary['wall'] = {
  title: 'Tablette murale',
  askTitle: 'Afficher la maison sur cet écran',
  steps: [
    'Visez le code avec l’appareil photo de votre téléphone. Ou ouvrez-y Réglages › Tablettes murales et saisissez les chiffres.',
    'Choisissez ce que cet écran peut faire, puis autorisez.',
  ],
  thisScreen: (name) => `Cet écran : ${name}`,
  qr: 'QR code pour l’appareil photo de votre téléphone',
  byToken: 'Utiliser plutôt un jeton d’API',
  wasRefused: 'Cet écran a été refusé.',
  askAgain: 'Demander à nouveau',
  states: {
    away: 'Le hub ne répond pas. Cet écran continue d’essayer.',
    busy: 'De nouveaux chiffres arrivent dans un instant…',
    unclaimed: 'Le hub n’a pas encore de propriétaire. Configurez-le d’abord, sur un téléphone ou un ordinateur.',
  },
  intro:
    'Créez un jeton d’API sur votre propre téléphone : Réglages, Jetons d’API, avec le droit de voir les appareils et les événements et de commander les appareils. Limitez-le aux pièces que chacun peut commander d’ici.',
  token: 'Jeton d’API',
  tokenHint: 'À saisir une seule fois. Il reste dans ce navigateur.',
  submit: 'Afficher la maison',
  refused:
    'Le hub refuse ce jeton d’API. Il a été supprimé, a expiré, ou n’a pas le droit de voir les appareils et les événements.',
  settings: 'Cet écran',
  back: 'Toutes les pièces',
  wake: 'Plus clair',
  night: 'Sombre la nuit',
  nights: { sun: 'Du coucher au lever du soleil', times: 'Entre deux heures', never: 'Jamais' },
  sunNote:
    'Il faut un jeton qui peut voir les automatisations, et le lieu de la maison. D’ici là, les heures décident.',
  from: 'De',
  to: 'À',
  forget: 'Oublier le jeton',
};
