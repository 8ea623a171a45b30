import type { EnergyAnswer } from '#web/client/api.ts';
import { counted, listed } from '#web/strings/language/grammar.ts';
import { words } from '#web/strings/language/language.ts';
import { formatLocale } from './strings.ts';

type Flow = EnergyAnswer['flows'][number];

const en = {
  title: 'Energy',
  settings: 'Energy settings',
  period: 'Period',
  periods: { day: 'Day', month: 'Month', year: 'Year' },
  back: { day: 'The day before', month: 'The month before', year: 'The year before' },
  next: { day: 'The next day', month: 'The next month', year: 'The next year' },
  today: 'Today',
  view: 'Show as',
  chart: 'Chart',
  table: 'Table',
  old: 'This is how it was when the hub last answered.',

  needsTitle: 'What does your home use?',
  needs:
    'The hub can show it as soon as it knows what measures it: a meter at the grid, a solar inverter, or plugs that count energy.',
  nothingFits: 'No device in your home counts energy yet. Add a meter, or a plug that measures, first.',
  fits: (count: number) => `${counted(count, 'device', 'devices')} in your home can be used for this.`,
  setUp: 'Set up energy',
  addDevice: 'Add a device',
  askAdmin: 'An owner or admin can set this up.',
  nothingKnown: 'Nothing is known of this time.',
  notSettled:
    'Nothing was added up yet. The hub adds up each hour when it is over, once the time server has confirmed its clock.',

  now: 'Now',
  notKnown: 'Not known',
  oldPower: (power: string) => `${power} (old)`,
  powers: {
    home_power: 'Home uses',
    solar_power: 'Solar gives',
    grid_power: ['Taken from the grid', 'Given to the grid'],
    battery_power: ['Battery gives', 'Battery charges'],
  },
  nowUses: (power: string) => `now ${power}`,

  account: 'In this time',
  flows: {
    import: 'From the grid',
    export: 'Into the grid',
    solar: 'Solar',
    charge: 'Into the battery',
    discharge: 'From the battery',
    gas: 'Gas',
    water: 'Water',
  } satisfies Readonly<Record<Flow, string>>,
  home: 'Home used',
  selfUse: 'Solar energy used at home',
  autarky: 'Covered without the grid',
  estimated: 'estimated',
  ofGaps: (amount: string) => `${amount} of it in gaps`,
  estimatedHint: 'Estimated: added up from a power, because there is no counter.',
  gapHint: 'In gaps: counted while the hub did not hear the meter, so nobody knows at which moment.',
  known: (share: string, missing: string) =>
    `The meters are known for ${share} of this time. What they measured in the other ${missing} is not in these sums, unless they counted it on.`,

  flowChart: 'What came in and went out',
  consumerChart: 'What the consumers used',
  gasChart: 'Gas',
  waterChart: 'Water',
  lookHint: 'Choose a bar to see what it shows.',
  look: (name: string) => `${name}: look at one part`,
  consumersPart: 'Consumers',
  gapPart: 'In gaps',
  unknownPart: 'Not known',
  amountOf: (name: string, amount: string) => `${name} ${amount}`,
  at: (time: string, amounts: readonly string[]) => `${time}: ${listed(amounts)}`,
  unknownAt: (time: string) => `${time}: not known`,
  partlyKnown: (share: string) => `known for ${share} of it`,
  open: { day: 'Show this day', month: 'Show this month' },
  zone: (zone: string) => `Times are in the time zone of the hub, ${zone}.`,

  consumers: 'Consumers',
  within: (parent: string) => `Part of ${parent}`,
  untracked: 'Everything else',
  untrackedHint: 'Used by the home, and measured by none of these.',
  mismatch: (amount: string) =>
    `The consumers show ${amount} more than the home used. At least one meter is wrong, or a consumer is measured twice and not marked as part of another.`,
  shareOfHome: (share: string) => `${share} of the home`,

  cost: 'Cost',
  total: 'To pay',
  earned: 'Earned',
  costOf: {
    import: 'From the grid',
    export: 'Into the grid, earned',
    gas: 'Gas',
    water: 'Water',
  },
  costInGap: (amount: string) => `${amount} of it is for gaps, at mean prices.`,
  unpriced: (amounts: readonly string[]) => `Without a price, and not in this sum: ${listed(amounts)}.`,

  tableLabel: (time: string) => `Energy, ${time}`,
  columns: { time: 'Time', home: 'Home', cost: 'Cost', known: 'Known' },

  set: {
    intro:
      'Choose what measures your home. Leave out what you do not have: a single plug that counts energy is a good start.',
    save: 'Save',
    saving: 'Saving…',
    saved: 'Saved. From now on the hub adds up what these measure.',
    faults: (count: number) => `${counted(count, 'field needs', 'fields need')} your attention.`,
    none: 'None',
    choose: 'Choose…',
    feature: (device: string, feature: string) => `${device}: ${feature}`,
    addedUp: (device: string, feature: string) => `${device}: ${feature}, added up`,
    absent: (series: string) => `${series} (not there now)`,
    another: (label: string, number: number) => `${label}, meter ${number}`,

    grid: 'Grid',
    gridPower: 'Power at the grid now',
    gridPowerHint: 'For the live view. Where a counter is missing above, the hub adds this power up.',
    positive: 'A positive value means',
    signs: {
      import: 'The home takes from the grid',
      export: 'The home gives to the grid',
      charge: 'The battery charges',
      discharge: 'The battery gives',
    },
    meters: 'Solar, gas and water',
    solarHint: 'What the inverter counts, or its power if it counts nothing.',
    batteries: 'Batteries',
    battery: (number: number) => `Battery ${number}`,
    batteryPower: 'Power of the battery now',
    level: 'Charge level',
    addBattery: 'Add a battery',
    removeBattery: (number: number) => `Remove battery ${number}`,

    consumersText: 'What is measured apart, such as plugs. The rest of the home is shown as everything else.',
    measuredBy: 'Measured by',
    name: 'Name (optional)',
    nameHint: 'Without one, the name of the device.',
    within: 'Part of',
    withinNone: 'None: measured apart',
    withinHint: 'A consumer behind the meter of another one counts only once.',
    newConsumer: 'New consumer',
    addConsumer: 'Add this consumer',
    nothingLeft: 'Nothing else in your home counts energy.',
    addAll: (count: number) => `Add all ${count} that count energy`,
    removeConsumer: (name: string) => `Remove ${name}`,

    tariffs: 'Prices',
    tariffsText: 'Hours that are over keep the prices that they had.',
    tariff: (flow: string, day: string) => (day === '' ? flow : `${flow}, from ${day}`),
    tariffFor: 'Price of',
    validFrom: 'Holds from',
    validFromHint: 'Until the next price for the same begins.',
    currency: 'Currency',
    currencyHint: 'Three letters, such as EUR.',
    currencyFault: 'Enter three letters, such as EUR.',
    kind: 'Kind',
    kinds: { fixed: 'Always the same', times: 'By time of day', pushed: 'Sent by a script' },
    pushedHint: (id: string) => `A script sends the prices to the hub, with “${id}” as the name of the tariff.`,
    price: (unit: string, currency: string) => `Price per ${unit}${currency === '' ? '' : `, in ${currency}`}`,
    fallback: (label: string) => `${label}, where no script sent one (optional)`,
    priceFault: 'Enter a number, such as 0.31.',
    timesHint: 'The first price whose time fits counts. Leave the times of the last one empty: it holds otherwise.',
    priceNumber: (number: number) => `Price ${number}`,
    from: 'From',
    to: 'To',
    days: 'Only on these days',
    weekdays: { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' },
    addPrice: 'Add a price',
    removePrice: (number: number) => `Remove price ${number}`,
    addTariff: 'Add a price plan',
    removeTariff: (title: string) => `Remove ${title}`,

    deleteTitle: 'Delete past energy',
    deleteText:
      'What each hour came to stays although its history is deleted. Here it goes too, for example for a time when visitors were here.',
    deleteWhat: 'What to delete',
    everything: 'Everything',
    deleteFrom: 'Delete from',
    fromHint: 'Empty: from the very beginning.',
    deleteTo: 'Delete until',
    toHint: 'Empty: until now.',
    look: 'Delete…',
    nothing: 'There is nothing to delete.',
    deleteQuestion: 'Delete this for ever?',
    deleteWarning: (what: string, hours: number) =>
      `${what}: ${counted(hours, 'hour', 'hours')}, with their costs. Nobody can bring them back. Earlier backups keep them.`,
    delete: 'Delete for ever',
    deleted: (hours: number) => `${counted(hours, 'hour was', 'hours were')} deleted.`,
    past: 'Past days',
    pastText: 'New prices and meters count from now on.',
    recalculate: 'Recalculate the last 31 days',
    recalculateTitle: 'Recalculate the last 31 days?',
    recalculateText:
      'Amounts and costs become those of the meters and prices that are saved now. What the history no longer knows stays.',
    recalculated: (hours: number) => `${counted(hours, 'hour was', 'hours were')} recalculated.`,
  },
};

/** The words of energy. They are apart from the others because the first page does not load them. */
export const e = words('energy', en);

const UNITS = { kWh: 'kWh', m3: 'm³', W: 'W', kW: 'kW' } as const;

/** `0.412 kWh`, `12.3 kWh`, `1,204 kWh`: as many digits as matter. */
export function amountWords(amount: number, unit: keyof typeof UNITS): string {
  const size = Math.abs(amount);
  const digits = size === 0 ? 0 : size < 1 ? 3 : size < 10 ? 2 : size < 100 ? 1 : 0;
  const number = new Intl.NumberFormat(formatLocale(), { maximumFractionDigits: digits }).format(amount);
  return `${number}\u00a0${UNITS[unit]}`;
}

/** `85 W`, `1.2 kW`. */
export function powerWords(watts: number): string {
  return Math.abs(watts) < 1_000 ? amountWords(Math.round(watts), 'W') : amountWords(watts / 1_000, 'kW');
}

export function moneyWords(amount: number, currency: string): string {
  return new Intl.NumberFormat(formatLocale(), { style: 'currency', currency }).format(amount);
}

/** In whole percent, but never 100 for less than all, nor 0 for more than nothing. */
export function shareWords(share: number): string {
  const whole = Math.round(share * 100) / 100;
  const shown = share < 1 && share > 0 ? Math.min(0.99, Math.max(0.01, whole)) : whole;
  return new Intl.NumberFormat(formatLocale(), { style: 'percent' }).format(shown);
}
