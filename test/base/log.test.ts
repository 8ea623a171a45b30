import { expect, test } from 'vitest';
import { createLog, type LogLevel } from '#base/log.ts';

function openLog(level: LogLevel = 'info', journal = true) {
  const lines: string[] = [];
  return { lines, log: createLog({ level, journal, wallMs: () => 0, write: (line) => void lines.push(line) }) };
}

test('a line has its level, its part and its fields, and what is below the level is not written', () => {
  const { log, lines } = openLog();
  log.part('mqtt').warn('broker gone', { host: '10.0.0.2', name: 'two words', count: 3, absent: undefined });
  log.debug('details');
  expect(lines).toEqual(['<4>mqtt: broker gone host=10.0.0.2 name="two words" count=3\n']);
  const plain = openLog('debug', false);
  plain.log.error('oh');
  expect(plain.lines).toEqual(['1970-01-01T00:00:00.000Z error oh\n']);
});

test.each(['one\ntwo', '\u001b[2J', '\u2028', '\u0085', '\u202eevil', '\u2066'])(
  'A10: %j forges neither a line nor what a terminal shows',
  (text) => {
    const { log, lines } = openLog();
    log.info(text, { name: text, cause: new Error(text, { cause: new Error(text) }) });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
  },
);

test('a line has the messages of the causes, and their stacks only at the level debug', () => {
  const { log, lines } = openLog();
  const cause = new Error('could not save', { cause: new Error('disk full') });
  log.error('failed', { cause });
  expect(lines[0]).toBe('<3>failed (could not save: disk full)\n');
  const debugging = openLog('debug');
  debugging.log.debug('failed', { cause });
  expect(debugging.lines[0]).toContain('log.test.ts');
});

test('an error without a message is logged with its parts', () => {
  const { log, lines } = openLog();
  log.warn('no broker', {
    cause: new AggregateError([new Error('refused by ::1'), new Error('refused by 127.0.0.1')]),
  });
  log.warn('odd', { cause: new TypeError() });
  expect(lines).toEqual(['<4>no broker (refused by ::1, refused by 127.0.0.1)\n', '<4>odd (TypeError)\n']);
});

test('the log does not fail on any value', () => {
  const ring: Record<string, unknown> = {};
  ring['ring'] = ring;
  const error = new Error('round and round');
  error.cause = error;
  const { log, lines } = openLog();
  log.info('odd', { ring, big: 1n, cause: error });
  log.info('odd', { call: () => 1, symbol: Symbol('s'), cause: null });
  expect(lines).toHaveLength(2);
});
