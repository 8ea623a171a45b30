import { useState } from 'preact/hooks';
import { history as historyWords } from '#web/strings/en/history.ts';
import type { Range } from './stretches.ts';
import type { Moments } from './time-axis.ts';

type Props = {
  readonly name: string;
  readonly parts: readonly Range[];
  readonly columns: readonly string[];
  readonly cellsAt: (part: Range) => readonly string[];
  readonly moments: Moments;
};

/** A phone is slow with more rows than anybody reads. */
const ROWS = 200;

/** The values of a figure as rows, for people who do not see it and for those who look for a number. */
export function FigureTable({ name, parts, columns, cellsAt, moments }: Props) {
  const [most, setMost] = useState(ROWS);
  return (
    <>
      {/* What scrolls can be reached with the keyboard. */}
      <div class="history-table" role="region" aria-label={historyWords.tableLabel(name)} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {[historyWords.columns.from, historyWords.columns.to, ...columns].map((column, index) => (
                <th key={index} scope="col">
                  <bdi>{column}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {parts.slice(0, most).map((part) => (
              <tr key={part.fromMs}>
                <td>{moments.words(part.fromMs)}</td>
                <td>{moments.words(part.toMs)}</td>
                {cellsAt(part).map((cell, index) => (
                  <td key={index}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {parts.length > most ? (
        <button type="button" class="button button-plain button-wide" onClick={() => setMost(most + ROWS)}>
          {historyWords.moreRows(parts.length - most)}
        </button>
      ) : null}
    </>
  );
}
