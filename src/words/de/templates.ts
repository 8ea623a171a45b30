import type { templateTexts as en } from '#words/en/templates.ts';
import type { Translation } from '#words/texts.ts';

export const templateTexts: Translation<typeof en> = {
  'motion-light': {
    name: 'Licht bei Bewegung',
    description:
      'Schaltet Lampen ein, wenn sich im Dunkeln jemand bewegt, nachts gedimmt, und einige Minuten nach der letzten Bewegung wieder aus. Von Hand geschaltete Lampen bleiben eine Weile, wie sie sind. Fällt der Sensor aus, bleiben die Lampen höchstens eine Stunde an.',
    inputs: {
      motion: { label: 'Bewegungsmelder' },
      lights: { label: 'Lampen' },
      lux: { label: 'Lichtsensor' },
      dark_lx: { label: 'Dunkel heißt unter' },
      hold_s: { label: 'Ausschalten nach so viel Zeit ohne Bewegung' },
      level: { label: 'Helligkeit', hint: 'Weglassen für Lampen, die sich nicht dimmen lassen.' },
      night_level: { label: 'Helligkeit in der Nacht' },
      night_from: { label: 'Die Nacht beginnt' },
      night_to: { label: 'Die Nacht endet' },
      yield_s: { label: 'Von Hand geschaltete Lampen nicht ändern für' },
    },
  },
  'wake-up-light': {
    name: 'Aufwachlicht',
    description:
      'Macht Lampen langsam heller, bevor du aufstehst. Lampen, die schon an sind, bleiben, wie sie sind, und auch solche, die jemand inzwischen ausschaltet. An freien Tagen, wenn niemand zu Hause ist, oder wenn der Hub eine Viertelstunde lang aus war, geschieht nichts.',
    inputs: {
      lights: { label: 'Lampen' },
      at: { label: 'Beginn um' },
      days: { label: 'Tage' },
      minutes: { label: 'Minuten bis zur vollen Helligkeit' },
      level: { label: 'Volle Helligkeit' },
      stay_min: { label: 'Wieder aus nach (Minuten)' },
      only_home: { label: 'Nur, wenn jemand zu Hause ist' },
    },
  },
  'sunset-lights': {
    name: 'Licht bei Sonnenuntergang',
    description:
      'Schaltet Lampen um den Sonnenuntergang ein und zu einer Uhrzeit in der Nacht aus. Von Hand geschaltete Lampen bleiben 30 Minuten, wie sie sind. Dafür muss der Hub den Ort des Zuhauses kennen.',
    inputs: {
      lights: { label: 'Lampen' },
      level: { label: 'Helligkeit', hint: 'Weglassen für Lampen, die sich nicht dimmen lassen.' },
      offset_s: { label: 'Wie lange vor oder nach Sonnenuntergang' },
      not_before: { label: 'Nicht vor' },
      not_after: { label: 'Nicht nach' },
      off_at: { label: 'Aus um' },
      only_home: { label: 'Nur, wenn jemand zu Hause ist' },
    },
  },
  'button-scenes': {
    name: 'Taste für Szenen',
    description:
      'Jeder Druck auf eine Taste geht zur nächsten von zwei oder drei Szenen; ein anderer Druck schaltet Lampen aus. Sie richtet sich nach dem, was die Lampen melden, und beginnt also mit der ersten Szene, wenn jemand sie verstellt hat.',
    inputs: {
      button: { label: 'Taste' },
      next_press: { label: 'Druck für die nächste Szene' },
      first: { label: 'Erste Szene' },
      second: { label: 'Zweite Szene' },
      third: { label: 'Dritte Szene' },
      lights: { label: 'Lampen zum Ausschalten' },
      off_press: { label: 'Druck zum Ausschalten' },
    },
  },
  leak: {
    name: 'Wasseraustritt',
    description:
      'Jeder Wassermelder, auch ein später hinzugekommener, schließt das Wasser, lässt eine Sirene ertönen und benachrichtigt alle, bis jemand bestätigt. Sie sagt es, wenn das Ventil nicht schließt. Von selbst öffnet sie das Wasser nie wieder.',
    inputs: {
      valve: { label: 'Wasserventil' },
      siren: { label: 'Sirene' },
      siren_s: { label: 'Die Sirene ertönt' },
    },
  },
  'door-left-open': {
    name: 'Tür offen gelassen',
    description:
      'Sagt, dass eine Tür oder ein Fenster zu lange offen ist, erinnert daran, bis es geschlossen ist, und nimmt dann die Mitteilung zurück. Mit einem Thermometer draußen nur, solange es dort kalt ist.',
    inputs: {
      doors: { label: 'Türen und Fenster' },
      after_s: { label: 'Nach' },
      repeat_s: { label: 'Erinnern alle' },
      outside: { label: 'Thermometer draußen' },
      below: { label: 'Nur unter' },
    },
  },
  'low-batteries': {
    name: 'Schwache Batterien',
    description:
      'Meldet jedes Gerät, dessen Batterie schwach wird, auch ein später hinzugekommenes, und nach einer Woche noch einmal, wenn es noch so ist.',
    inputs: {
      below: { label: 'Schwach heißt unter' },
      except: { label: 'Diese nicht' },
    },
  },
  'away-off': {
    name: 'Alles aus, wenn alle weg sind',
    description:
      'Schaltet alles aus, was aus sein darf, einige Minuten nachdem die letzte Person gegangen ist oder wenn jemand das Zuhause auf „Abwesend“ stellt. Meldet offene Fenster. Solange unbekannt ist, ob jemand zu Hause ist, geschieht nichts.',
    inputs: {
      after_s: { label: 'Nach' },
      set_mode: { label: 'Das Zuhause auf „Abwesend“ stellen' },
      windows: { label: 'Fenster und Türen, auf die zu achten ist' },
    },
  },
  'presence-imitation': {
    name: 'Als wäre jemand zu Hause',
    description:
      'Solange das Zuhause auf „Abwesend“ oder „Urlaub“ steht, tun Lampen, was sie vor einer Woche zur selben Zeit getan haben. Was niemand aufgezeichnet hat, ändert nichts.',
    inputs: {
      lights: { label: 'Lampen' },
      from: { label: 'Von' },
      to: { label: 'Bis' },
      modes: { label: 'Solange das Zuhause steht auf' },
    },
  },
  'window-heating': {
    name: 'Heizung aus, solange ein Fenster offen ist',
    description:
      'Senkt Thermostate ab, solange ein Fenster offen ist, und stellt sie zurück, wenn alle Fenster geschlossen sind, außer jemand hat sie inzwischen von Hand verstellt. Sie heizt nie mehr. Fällt ein Fenstersensor aus, bleibt die Heizung höchstens eine Stunde abgesenkt.',
    inputs: {
      windows: { label: 'Fenster' },
      thermostats: { label: 'Thermostate' },
      low: { label: 'Absenken auf' },
      open_s: { label: 'Absenken, wenn ein Fenster so lange offen ist' },
      closed_s: { label: 'Zurück, wenn alle so lange geschlossen sind' },
    },
  },
  'appliance-finished': {
    name: 'Haushaltsgerät ist fertig',
    description:
      'Meldet, wenn Waschmaschine, Trockner oder Spülmaschine fertig sind: Die Leistung war hoch und ist dann einige Minuten lang niedrig. Pausen im Programm zählen nicht.',
    inputs: {
      meter: { label: 'Leistung des Haushaltsgeräts' },
      name: { label: 'Name des Haushaltsgeräts', default: 'Das Haushaltsgerät' },
      start_w: { label: 'Läuft über' },
      end_w: { label: 'Fertig unter' },
      end_s: { label: 'Dauer der niedrigen Leistung' },
      door: { label: 'Tür des Haushaltsgeräts', hint: 'Nimmt die Mitteilung zurück, wenn jemand sie öffnet.' },
    },
  },
  'humidity-fan': {
    name: 'Lüfter nach Luftfeuchte',
    description:
      'Schaltet einen Lüfter ein, wenn die Luft feucht ist oder schnell feucht wird, wie beim Duschen, und aus, wenn sie wieder trocken ist. Er läuft mindestens zehn Minuten und höchstens so lange, wie du angibst. Läuft er schon oder hat ihn jemand von Hand geschaltet, ändert sich nichts.',
    inputs: {
      humidity: { label: 'Luftfeuchte' },
      fan: { label: 'Lüfter' },
      above: { label: 'Feucht heißt über' },
      rise: { label: 'Oder ein Anstieg in fünf Minuten um' },
      dry: { label: 'Trocken heißt unter' },
      longest_s: { label: 'Höchstens' },
      quiet_from: { label: 'Nicht in der Nacht: von' },
      quiet_to: { label: 'Bis' },
    },
  },
};
