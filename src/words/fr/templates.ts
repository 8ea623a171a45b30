import type { templateTexts as en } from '#words/en/templates.ts';
import type { Translation } from '#words/texts.ts';

export const templateTexts: Translation<typeof en> = {
  'motion-light': {
    name: 'Lumière au mouvement',
    description:
      'Allume des lampes quand quelqu’un bouge dans le noir, et les éteint quelques minutes après le dernier mouvement. Tamisé la nuit. Les lampes réglées à la main ne changent pas pendant un moment. Un capteur disparu garde les lampes allumées une heure au plus.',
    inputs: {
      motion: { label: 'Détecteurs de mouvement' },
      lights: { label: 'Lampes' },
      lux: { label: 'Capteur de lumière' },
      dark_lx: { label: 'Sombre veut dire au-dessous de' },
      hold_s: { label: 'Éteindre sans mouvement après' },
      level: { label: 'Luminosité', hint: 'Laissez vide pour des lampes non variables.' },
      night_level: { label: 'Luminosité la nuit' },
      night_from: { label: 'La nuit commence' },
      night_to: { label: 'La nuit finit' },
      yield_s: { label: 'Ne pas changer les lampes réglées à la main pendant' },
    },
  },
  'wake-up-light': {
    name: 'Lumière de réveil',
    description:
      'Monte doucement les lampes avant votre lever. Celles déjà allumées restent telles quelles, comme celles que quelqu’un éteint entre-temps. Rien ne se passe les jours libres, quand personne n’est là, ou si le hub a été éteint un quart d’heure.',
    inputs: {
      lights: { label: 'Lampes' },
      at: { label: 'Commencer à' },
      days: { label: 'Jours' },
      minutes: { label: 'Minutes jusqu’à la pleine luminosité' },
      level: { label: 'Pleine luminosité' },
      stay_min: { label: 'Éteindre après (minutes)' },
      only_home: { label: 'Seulement quand quelqu’un est à la maison' },
    },
  },
  'sunset-lights': {
    name: 'Lumières au coucher du soleil',
    description:
      'Allume des lampes vers le coucher du soleil et les éteint à une heure de la nuit. Les lampes réglées à la main ne changent pas pendant 30 minutes. Il faut le lieu de la maison.',
    inputs: {
      lights: { label: 'Lampes' },
      level: { label: 'Luminosité', hint: 'Laissez vide pour des lampes non variables.' },
      offset_s: { label: 'Combien de temps avant ou après le coucher du soleil' },
      not_before: { label: 'Pas avant' },
      not_after: { label: 'Pas après' },
      off_at: { label: 'Éteindre à' },
      only_home: { label: 'Seulement quand quelqu’un est à la maison' },
    },
  },
  'button-scenes': {
    name: 'Bouton à scènes',
    description:
      'Chaque appui sur un bouton passe à la suivante de deux ou trois scènes ; un autre appui éteint des lampes. Elle se fie à ce que signalent les lampes, et recommence donc à la première scène si quelqu’un les a changées.',
    inputs: {
      button: { label: 'Bouton' },
      next_press: { label: 'Appui pour la scène suivante' },
      first: { label: 'Première scène' },
      second: { label: 'Deuxième scène' },
      third: { label: 'Troisième scène' },
      lights: { label: 'Lampes à éteindre' },
      off_press: { label: 'Appui pour éteindre' },
    },
  },
  leak: {
    name: 'Fuite d’eau',
    description:
      'Tout détecteur de fuite, même ajouté plus tard, coupe l’eau, fait sonner une sirène et prévient tout le monde jusqu’à confirmation. Elle le dit si la vanne ne se ferme pas. Elle ne rouvre jamais l’eau d’elle-même.',
    inputs: {
      valve: { label: 'Vanne d’eau' },
      siren: { label: 'Sirène' },
      siren_s: { label: 'La sirène sonne pendant' },
    },
  },
  'door-left-open': {
    name: 'Porte restée ouverte',
    description:
      'Signale une porte ou fenêtre ouverte trop longtemps, le rappelle jusqu’à sa fermeture, puis retire le message. Avec un thermomètre dehors, seulement quand il y fait froid.',
    inputs: {
      doors: { label: 'Portes et fenêtres' },
      after_s: { label: 'Après' },
      repeat_s: { label: 'Rappeler toutes les' },
      outside: { label: 'Thermomètre dehors' },
      below: { label: 'Seulement au-dessous de' },
    },
  },
  'low-batteries': {
    name: 'Piles faibles',
    description:
      'Signale chaque appareil dont la pile faiblit, même ajouté plus tard, et de nouveau après une semaine si c’est encore le cas.',
    inputs: {
      below: { label: 'Faible veut dire au-dessous de' },
      except: { label: 'Pas ceux-ci' },
    },
  },
  'away-off': {
    name: 'Tout éteindre quand tout le monde est parti',
    description:
      'Éteint tout ce qui peut l’être, quelques minutes après le dernier départ ou quand quelqu’un met la maison sur « Absent ». Signale les fenêtres ouvertes. Tant qu’on ne sait pas si quelqu’un est là, rien ne se passe.',
    inputs: {
      after_s: { label: 'Après' },
      set_mode: { label: 'Mettre la maison sur « Absent »' },
      windows: { label: 'Fenêtres et portes à surveiller' },
    },
  },
  'presence-imitation': {
    name: 'Comme si quelqu’un était là',
    description:
      'Tant que la maison est sur « Absent » ou « Vacances », les lampes font ce qu’elles faisaient une semaine plus tôt à la même heure. Ce que personne n’a enregistré ne change rien.',
    inputs: {
      lights: { label: 'Lampes' },
      from: { label: 'De' },
      to: { label: 'À' },
      modes: { label: 'Tant que la maison est sur' },
    },
  },
  'window-heating': {
    name: 'Chauffage baissé tant qu’une fenêtre est ouverte',
    description:
      'Baisse les thermostats tant qu’une fenêtre est ouverte, et les remet quand toutes sont fermées, sauf si quelqu’un les a changés entre-temps. Elle ne chauffe jamais plus. Un capteur disparu garde le chauffage baissé une heure au plus.',
    inputs: {
      windows: { label: 'Fenêtres' },
      thermostats: { label: 'Les thermostats' },
      low: { label: 'Baisser à' },
      open_s: { label: 'Baisser si une fenêtre est ouverte depuis' },
      closed_s: { label: 'Rétablir si tout est fermé depuis' },
    },
  },
  'appliance-finished': {
    name: 'Appareil ménager terminé',
    description:
      'Signale la fin du lave-linge, sèche-linge ou lave-vaisselle : sa puissance était haute, puis basse quelques minutes. Les pauses du programme ne comptent pas.',
    inputs: {
      meter: { label: 'Puissance de l’appareil' },
      name: { label: 'Nom de l’appareil', default: 'L’appareil ménager' },
      start_w: { label: 'Tourne au-dessus de' },
      end_w: { label: 'Fini au-dessous de' },
      end_s: { label: 'Durée de la puissance basse' },
      door: { label: 'Porte de l’appareil', hint: 'Retire le message quand quelqu’un l’ouvre.' },
    },
  },
  'humidity-fan': {
    name: 'Ventilateur selon l’humidité',
    description:
      'Allume un ventilateur quand l’air est humide ou le devient vite, comme sous la douche, et l’éteint quand il est sec. Il tourne dix minutes au moins, et ce temps au plus. Un ventilateur déjà allumé est laissé, comme celui qu’une main a touché.',
    inputs: {
      humidity: { label: 'Humidité' },
      fan: { label: 'Ventilateur' },
      above: { label: 'Humide veut dire au-dessus de' },
      rise: { label: 'Ou une hausse en cinq minutes de' },
      dry: { label: 'Sec veut dire au-dessous de' },
      longest_s: { label: 'Au plus' },
      quiet_from: { label: 'Pas la nuit : de' },
      quiet_to: { label: 'À' },
    },
  },
};
