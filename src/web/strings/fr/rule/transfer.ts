import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { counted } from '#web/strings/fr/grammar.ts';

export const ruleTransfer: Dictionary['ruleTransfer'] = {
  title: 'Importer des automatisations',
  link: 'Importer depuis un fichier',
  text: 'Un fichier avec des automatisations ou un modèle, tel que ce hub ou un autre l’a exporté. Vous voyez ce qu’il contient avant que quoi que ce soit soit enregistré.',
  file: 'Fichier',
  fileFaults: {
    large: 'Le fichier dépasse 4 Mio : aucun hub n’en prend autant à la fois.',
    no_json: 'Le fichier n’est pas du JSON.',
    unknown: 'Le fichier ne contient ni automatisations ni modèle.',
  },
  faults: 'Le hub refuse ce fichier. Ce qui ne va pas, et où dans le fichier :',
  inFile: (count) => `${counted(count, 'automatisation', 'automatisations')} dans le fichier`,
  insteadOf: (name) => `Absent de cette maison : ${name}. Prendre à la place`,
  notChosen: 'Pas encore choisi',
  matched: 'Trouvé dans cette maison :',
  offAtFirst:
    'Elles restent désactivées jusqu’à ce que vous les activiez. Elles peuvent alors faire ce que vous pouvez faire.',
  take: 'Importer',
  taking: 'Importation…',
  taken: (count) =>
    `${counted(count, 'automatisation importée, désactivée', 'automatisations importées, désactivées')} pour l’instant.`,
  templateDoes: (steps) => `Ce qu’il peut faire : ${steps}.`,
  templateAsks: (inputs) => `Ce qu’il demande : ${inputs}.`,
  takeTemplate: 'Ajouter aux modèles',
  templateTaken: (name) => `${name} fait maintenant partie des modèles.`,
  exportOne: 'Exporter dans un fichier',
  exportAll: 'Tout exporter',
  exporting: 'Préparation du fichier…',
};
