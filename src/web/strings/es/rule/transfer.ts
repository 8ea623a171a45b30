import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { counted } from '#web/strings/es/grammar.ts';

export const ruleTransfer: Dictionary['ruleTransfer'] = {
  title: 'Importar automatizaciones',
  link: 'Importar desde un archivo',
  text: 'Un archivo con automatizaciones o con una plantilla, tal como lo exportó este hub u otro. Verás lo que contiene antes de que se guarde nada.',
  file: 'Archivo',
  fileFaults: {
    large: 'El archivo ocupa más de 4 MiB: ningún hub acepta tanto de una vez.',
    no_json: 'El archivo no es JSON.',
    unknown: 'El archivo no contiene automatizaciones ni una plantilla.',
  },
  faults: 'El hub no acepta este archivo. Qué está mal y en qué lugar del archivo:',
  inFile: (count) => `${counted(count, 'automatización', 'automatizaciones')} en el archivo`,
  insteadOf: (name) => `No está en esta casa: ${name}. Usar en su lugar`,
  notChosen: 'Sin elegir todavía',
  matched: 'Encontrado en esta casa:',
  offAtFirst: 'Están desactivadas hasta que las actives. Entonces podrán hacer lo que tú puedes hacer.',
  take: 'Importar',
  taking: 'Importando…',
  taken: (count) =>
    `${counted(count, 'automatización importada, desactivada', 'automatizaciones importadas, desactivadas')} por ahora.`,
  templateDoes: (steps) => `Lo que puede hacer: ${steps}.`,
  templateAsks: (inputs) => `Lo que pregunta: ${inputs}.`,
  takeTemplate: 'Añadir a las plantillas',
  templateTaken: (name) => `${name} ya está entre las plantillas.`,
  exportOne: 'Exportar como archivo',
  exportAll: 'Exportar todas',
  exporting: 'Preparando el archivo…',
};
