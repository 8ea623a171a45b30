import { useEffect, useRef } from 'preact/hooks';
import { FormFrame } from '#web/form/form-frame.tsx';
import { useHub } from '#web/hub.ts';
import type { IconName } from '#web/icon-lines.ts';
import { LinkRow } from '#web/parts/link-row.tsx';
import { priceWords } from '#web/strings/amount-words.ts';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { listed } from '#web/strings/en/grammar.ts';
import { unitOf } from '#web/energy/energy-table.tsx';
import { likelyDraft } from './likely.ts';
import { askedParts, type Part, Question } from './questions.tsx';
import { SaveBar, type SettingsProps, useDraft } from './saving.tsx';
import { draftFaults, draftOf, numberFrom, type SettingsDraft, usedSeries } from './settings-draft.ts';

const ICONS: Readonly<Record<Part, IconName>> = {
  grid: 'meter',
  solar: 'sun',
  battery: 'batteryLow',
  gas: 'smoke',
  water: 'leak',
  consumers: 'plug',
  tariffs: 'archive',
};

/**
 * Asks one question at a time, each with the likely answer filled in, and shows at the end what is going to be saved. The
 * address has the question, so that the browser's way back leads to the one before.
 */
export function SetUp({ step, ...props }: SettingsProps & { readonly step: string | null }) {
  const { home, router } = useHub();
  const entries = home.entries.value;
  const { parts, form, submit, conflict } = useDraft(props, {
    first: () => likelyDraft(draftOf(props.settings), entries),
    goTo: '/history/energy',
  });
  const { draft } = parts;
  const asked = askedParts(entries, draft);
  const at = step === null ? 0 : asked.findIndex((part) => part === step);
  const part = asked[at];
  const before = asked[(part === undefined ? asked.length : at) - 1];
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // A new question is read from its beginning.
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [step]);
  const next = (): void => {
    if (part === undefined) return submit();
    const faults = part === 'tariffs' ? draftFaults(draft) : {};
    if (Object.keys(faults).length > 0) form.show(faults);
    else router.go(`/settings/energy?step=${asked[at + 1] ?? 'summary'}`);
  };
  return (
    <FormFrame form={form} class="energy-form" onSubmit={next}>
      <section class="panel form">
        {part === undefined ? null : <p class="soft">{energyWords.set.stepOf(at + 1, asked.length)}</p>}
        <h2 ref={heading} class="form-title" tabIndex={-1}>
          {part === undefined ? energyWords.set.summary : energyWords.set.questions[part]}
        </h2>
        {part === undefined ? null : <p class="form-text">{energyWords.set.questionText[part]}</p>}
        {part === undefined ? (
          <Summary parts={asked} draft={draft} hrefOf={(one) => `/settings/energy?step=${one}`} />
        ) : (
          <Question part={part} {...parts} />
        )}
      </section>
      {part === undefined ? (
        <SaveBar {...{ form, conflict }} saysFaults />
      ) : (
        <div class="form-buttons save-bar">
          {before === undefined ? null : (
            <a class="button" href={`/settings/energy?step=${before}`}>
              {energyWords.set.back}
            </a>
          )}
          <button type="submit" class="button button-main">
            {energyWords.set.next}
          </button>
        </div>
      )}
    </FormFrame>
  );
}

type SummaryProps = {
  readonly parts: readonly Part[];
  readonly draft: SettingsDraft;
  readonly hrefOf: (part: Part) => string;
};

/** One line for each part, which leads to it. */
export function Summary({ parts, draft, hrefOf }: SummaryProps) {
  const { home } = useHub();
  const nameOf = (series: string): string =>
    home.find(series.slice(0, series.indexOf('/')))?.device.value.name ?? energyWords.set.absent(series);
  return (
    <ul class="rows">
      {parts.map((part) => (
        <LinkRow
          key={part}
          href={hrefOf(part)}
          icon={ICONS[part]}
          title={energyWords.set.parts[part]}
          note={partWords(part, draft, nameOf)}
        />
      ))}
    </ul>
  );
}

const NOTHING = { grid: { import: [], export: [], power: null }, solar: [], battery: [], gas: [], water: [] };

function partWords(part: Part, draft: SettingsDraft, nameOf: (series: string) => string): string {
  const { consumers, tariffs, ...sources } = draft;
  const words =
    part === 'consumers'
      ? consumers.map(({ series, name }) => name ?? nameOf(series))
      : part === 'tariffs'
        ? tariffs.map(tariffWords)
        : [...usedSeries({ ...draft, ...NOTHING, consumers: [], [part]: sources[part] })].map(nameOf);
  if (words.length === 0) return energyWords.set.partNone[part === 'tariffs' ? 'price' : 'meter'];
  // Each price is a phrase that begins with a capital letter.
  return part === 'tariffs' ? words.join(' · ') : listed([...new Set(words)]);
}

function tariffWords({ for: flow, kind, prices, currency }: SettingsDraft['tariffs'][number]): string {
  const price = numberFrom(prices[0]?.price ?? '');
  const unit = unitOf(flow) === 'm3' ? 'm³' : 'kWh';
  const amount =
    kind === 'fixed' && price !== undefined && /^[A-Z]{3}$/.test(currency)
      ? energyWords.set.perUnit(priceWords(price, currency), unit)
      : energyWords.set.kinds[kind];
  return energyWords.amountOf(energyWords.flows[flow], amount);
}
