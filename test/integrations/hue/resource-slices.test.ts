import { expect, test } from 'vitest';
import { resourcesInAnswer } from '#integrations/hue/clip/resource-slices.ts';

const MIB = 1024 * 1024;

async function idsIn(text: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of resourcesInAnswer(Buffer.from(text))) ids.push(id);
  return ids;
}

/** An answer of the largest size that the hub reads, with one more list in each. */
const deep = (closed: boolean): string => {
  const depth = closed ? 4 * MIB - 16 : 8 * MIB - 16;
  return `{"data":[${'['.repeat(depth)}${closed ? ']'.repeat(depth) : ''}]}`;
};

test.each([
  ['closes its lists', deep(true)],
  ['does not close them', deep(false)],
])('I1: an answer of 8 MiB that only nests is refused where it nests too deep, if it %s', async (_how, text) => {
  await expect(idsIn(text)).rejects.toMatchObject({ code: 'BAD_ANSWER', cause: { message: 'nests deeper than 32' } });
});

test('I1: a resource that is larger than any is left out unparsed, and others have their turns', async () => {
  const resource = (id: string, items: number): string =>
    `{"id":"${id}","type":"light","x":[${'{},'.repeat(items)}{}]}`;
  let turns = 0;
  const count = (): void => {
    turns += 1;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);
  const answer = `{"errors":[],"data":[${[resource('a', 10), resource('b', 2 * MIB), resource('c', 10)].join(',')}]}`;
  expect(await idsIn(answer)).toEqual(['a', 'c']);
  clearImmediate(turn);
  expect(turns).toBeGreaterThan(answer.length / (64 * 1024));
});
