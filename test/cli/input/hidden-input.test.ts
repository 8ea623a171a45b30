import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type HiddenInput, readHidden } from '#cli/input/password-input.ts';

function createTerminal(): {
  input: HiddenInput;
  type: (text: string | Uint8Array) => void;
  end: () => void;
  raw: boolean[];
} {
  const stream = new PassThrough();
  const raw: boolean[] = [];
  const input = Object.assign(stream, {
    setRawMode: (mode: boolean) => {
      raw.push(mode);
      return input;
    },
  }) as unknown as HiddenInput & PassThrough;
  return { input, type: (text) => void stream.write(text), end: () => void stream.end(), raw };
}

test.each([
  ['plain\r', 'plain'],
  ['plain\n', 'plain'],
  ['with blanks \t\r', 'with blanks '],
  ['mistake\u007f\u007f\u007f\bed\r', 'mised'],
  ['\u007f\u007fx\r', 'x'],
  ['wrong\u0015right\r', 'right'],
  ['ünï🔑\u007f!\r', 'ünï!'],
  ['a\u001b[Db\u001b[3~c\r', 'abc'],
  ['\u001b[200~pasted\u001b[201~\r', 'pasted'],
  ['x\u0004y\r', 'xy'],
])('typing %j gives %j', async (typed, password) => {
  const terminal = createTerminal();
  const reading = readHidden(terminal.input);
  terminal.type(typed);
  expect(await reading).toBe(password);
  expect(terminal.raw).toEqual([true, false]);
});

test('a character that arrives in two pieces is one', async () => {
  const terminal = createTerminal();
  const reading = readHidden(terminal.input);
  const bytes = Buffer.from('🔑\r');
  terminal.type(bytes.subarray(0, 2));
  terminal.type(bytes.subarray(2));
  expect(await reading).toBe('🔑');
});

test('two lines pasted at once are two answers', async () => {
  const terminal = createTerminal();
  const reading = readHidden(terminal.input);
  terminal.type('secret\r\nagain\r');
  expect(await reading).toBe('secret');
  expect(await readHidden(terminal.input)).toBe('again');
});

test.each([['secr\u0003et\r'], ['\u0004']])('%j cancels and leaves the terminal as it was', async (typed) => {
  const terminal = createTerminal();
  const reading = readHidden(terminal.input);
  terminal.type(typed);
  await expect(reading).rejects.toMatchObject({ exitCode: 130 });
  expect(terminal.raw).toEqual([true, false]);
});

test('a terminal that goes away cancels', async () => {
  const terminal = createTerminal();
  const reading = readHidden(terminal.input);
  terminal.type('secr');
  terminal.end();
  await expect(reading).rejects.toMatchObject({ exitCode: 130 });
});
