import { useMemo, useState } from 'preact/hooks';
import type { EnergyAnswer } from '#web/client/api.ts';
import { lastOf } from '#web/since-2021.ts';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { amountWords, shareWords } from '#web/strings/amount-words.ts';
import { axisMarks, type BarChart, type Column, isUnknown, type Part, type PartName } from './energy-bars.ts';
import type { PartNames } from './energy-period.ts';

type Props = {
  readonly chart: BarChart;
  readonly answer: EnergyAnswer;
  readonly names: PartNames;
  /** Shows a part of the time as a period of its own; absent for hours. */
  readonly onOpen?: ((date: string) => void) | undefined;
};

function titleOf({ kind }: Pick<BarChart, 'kind'>): string {
  return {
    flows: energyWords.flowChart,
    consumers: energyWords.consumerChart,
    gas: energyWords.gasChart,
    water: energyWords.waterChart,
  }[kind];
}

/** A label behind this share of the width ends at its mark, so that it does not leave the panel. */
const AT_EDGE = 0.92;

/** Bars for each part of the time, from its beginning to its end: so an hour that the clocks repeat has its own. */
export function EnergyChart({ chart, answer, names, onOpen }: Props) {
  const [looked, setLooked] = useState<number | null>(null);
  const place = useMemo(() => placer(answer), [answer]);
  const { columns, unit } = chart;
  const column = looked === null ? undefined : columns[looked];
  const marks = axisMarks(chart);
  const heightOf = (value: number): string => `${(value / (chart.top - chart.bottom)) * 100}%`;
  return (
    <figure class="energy-figure">
      <figcaption>
        <span class="history-name">{titleOf(chart)}</span>
      </figcaption>
      <div class="energy-plot">
        <div class="energy-scale" aria-hidden="true">
          {marks.map((mark) => (
            <span key={mark} style={{ bottom: heightOf(mark - chart.bottom) }}>
              {mark === lastOf(marks) ? amountWords(mark, unit) : amountWords(Math.abs(mark), unit).split('\u00a0')[0]}
            </span>
          ))}
        </div>
        <div class="energy-bars" aria-hidden="true">
          {marks.map((mark) => (
            <span
              key={mark}
              class="energy-line"
              data-zero={mark === 0}
              style={{ bottom: heightOf(mark - chart.bottom) }}
            />
          ))}
          {columns.map((one) => (
            <Bar
              key={one.bucket.at}
              column={one}
              place={place(one)}
              zero={heightOf(-chart.bottom)}
              heightOf={heightOf}
            />
          ))}
          {column === undefined ? null : <span class="energy-looked" style={place(column)} />}
        </div>
        <Look {...{ chart, names, looked, onLook: setLooked, place }} />
      </div>
      <div class="history-axis energy-axis" aria-hidden="true">
        {columns.map(({ bucket: { at } }) => {
          const label = names.label(at);
          const share = shareOf(answer, at);
          return label === null ? null : (
            <span key={at} data-edge={share > AT_EDGE || undefined} style={{ left: `${share * 100}%` }}>
              {label}
            </span>
          );
        })}
      </div>
      <Key chart={chart} />
      <p class="energy-said soft">{column === undefined ? energyWords.lookHint : columnWords(column, chart, names)}</p>
      {onOpen === undefined || column === undefined ? null : (
        // The pointer is still down: what is below it must not take the focus from the chart.
        <button
          type="button"
          class="button"
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onOpen(names.dateOf(column.bucket.at))}
        >
          {answer.period === 'year' ? energyWords.open.month : energyWords.open.day}
        </button>
      )}
    </figure>
  );
}

type Place = { readonly left: string; readonly width: string };

function shareOf({ from, to }: Pick<EnergyAnswer, 'from' | 'to'>, at: string): number {
  return (Date.parse(at) - Date.parse(from)) / (Date.parse(to) - Date.parse(from));
}

function placer(answer: EnergyAnswer): (column: Column) => Place {
  return ({ bucket: { at, to } }) => {
    const left = shareOf(answer, at);
    return { left: `${left * 100}%`, width: `${(shareOf(answer, to) - left) * 100}%` };
  };
}

type BarProps = {
  readonly column: Column;
  readonly place: Place;
  readonly zero: string;
  readonly heightOf: (value: number) => string;
};

function Bar({ column, place, zero, heightOf }: BarProps) {
  if (isUnknown(column)) return <span class="energy-unknown" style={place} />;
  const part = ({ name, amount }: Part) => (
    <span key={name} class="energy-part" data-part={name} style={{ height: heightOf(amount) }} />
  );
  // The height of each side is that of its parts, which are in percent of the chart.
  return (
    <span class="energy-bar" style={place} data-estimated={column.isEstimated || undefined}>
      <span class="energy-up" style={{ bottom: zero }}>
        {column.up.map(part)}
      </span>
      <span class="energy-down" style={{ top: `calc(100% - ${zero})` }}>
        {column.down.map(part)}
      </span>
    </span>
  );
}

function Key({ chart: { parts, columns } }: { readonly chart: BarChart }) {
  const hasUnknown = columns.some(isUnknown);
  return (
    <ul class="bars-key energy-key">
      {parts.map((name) => (
        <li key={name}>
          <span class="bar-swatch" data-part={name} />
          {partWords(name)}
        </li>
      ))}
      {hasUnknown ? (
        <li>
          <span class="bar-swatch energy-unknown" />
          {energyWords.unknownPart}
        </li>
      ) : null}
    </ul>
  );
}

function partWords(name: PartName): string {
  if (name === 'gap') return energyWords.gapPart;
  return name === 'consumers' ? energyWords.consumersPart : energyWords.flows[name];
}

/** Says in a sentence what a bar shows. */
function columnWords(column: Column, { unit }: Pick<BarChart, 'unit'>, names: Pick<PartNames, 'words'>): string {
  const time = names.words(column.bucket);
  if (isUnknown(column)) return energyWords.unknownAt(time);
  const partOf = ({ name, amount }: Part): string => energyWords.amountOf(partWords(name), amountWords(amount, unit));
  const parts = [...column.up, ...column.down].map(partOf);
  const words = parts.length === 0 ? [amountWords(0, unit)] : parts;
  if (column.isEstimated) words.push(energyWords.estimated);
  if (column.knownShare < 1) words.push(energyWords.partlyKnown(shareWords(column.knownShare)));
  return energyWords.at(time, words);
}

type LookProps = {
  readonly chart: BarChart;
  readonly names: PartNames;
  readonly looked: number | null;
  readonly onLook: (index: number | null) => void;
  readonly place: (column: Column) => Place;
};

/** Says what a bar shows: the one under the pointer, or step by step with the arrow keys. */
function Look({ chart, names, looked, onLook, place }: LookProps) {
  const { columns } = chart;
  const last = columns.length - 1;
  const index = Math.min(looked ?? last, last);
  const column = columns[index];
  const point = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = ((event.clientX - left) / width) * 100;
    const after = columns.findIndex((one) => Number.parseFloat(place(one).left) > share);
    onLook(after < 0 ? last : Math.max(0, after - 1));
  };
  if (column === undefined) return null;
  return (
    <div class="look" onPointerMove={(event) => event.pointerType === 'mouse' && point(event)} onPointerDown={point}>
      <input
        type="range"
        min={0}
        max={last}
        value={index}
        aria-label={energyWords.look(titleOf(chart))}
        aria-valuetext={columnWords(column, chart, names)}
        onFocus={() => onLook(index)}
        onInput={({ currentTarget }) => onLook(currentTarget.valueAsNumber)}
      />
    </div>
  );
}
