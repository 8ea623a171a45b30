import { expect, test } from 'vitest';
import { MAX_FILE_BYTES, readTransferFile, templateFile } from '#web/rule/transfer/transfer-file.ts';

const file = (text: string, size = text.length) => ({ size, text: async () => text });

test.each([
  ['automations', '{"format":"hearthd-automations","automations":[]}', { kind: 'bundle' }],
  ['a template', '{"id":"a","definition":{}}', { kind: 'template' }],
  ['a list', '[]', { kind: 'fault', fault: 'unknown' }],
  ['null', 'null', { kind: 'fault', fault: 'unknown' }],
  ['something else', '{"automations":1,"definition":[]}', { kind: 'fault', fault: 'unknown' }],
  ['half a file', '{"automations":[', { kind: 'fault', fault: 'no_json' }],
])('a file with %s is known as that', async (_name, text, wanted) => {
  expect(await readTransferFile(file(text))).toMatchObject(wanted);
});

test('a file that no hub takes is not read', async () => {
  const text = () => Promise.reject(new Error('was read'));
  expect(await readTransferFile({ size: MAX_FILE_BYTES + 1, text })).toEqual({ kind: 'fault', fault: 'large' });
});

test('a file of a template has no word of the home that it came from', () => {
  const own = { id: 'a', version: 2, name: 'A', description: '', definition: { steps: [] } };
  const lamp = { label: 'Lamp', kind: 'device', capability: 'on' };
  const shown = {
    ...own,
    builtin: true,
    step_kinds: ['command'],
    used_by: [{ automation: 'ours' }],
    inputs: { lamp: { ...lamp, fits: [{ device: 'ours' }] } },
  };
  expect(templateFile(shown)).toEqual({ ...own, inputs: { lamp } });
});
