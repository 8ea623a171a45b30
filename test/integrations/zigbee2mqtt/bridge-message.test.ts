import { expect, test } from 'vitest';
import { expectBelow, startProcessorWatch } from '#test/support/machine/bounds.ts';
import { readSetFailure } from '#integrations/zigbee2mqtt/bridge-message.ts';

const inLog = (message: string) => readSetFailure({ level: 'error', message });

test.each([
  ["Publish 'set' 'state' to 'lamp' failed: 'Error: no answer'", 'lamp', 'Error: no answer'],
  ["z2m: Publish 'set' 'state' to 'a 'b' c/d' failed: no answer", "a 'b' c/d", 'no answer'],
  ["z2m: Publish 'set' 'state' to 'lamp' failed: 'ZCL {} failed (Timeout (7))'", 'lamp', 'Timeout (7)'],
  ["z2m: Publish 'set' 'state' to 'lamp' failed: 'ZCL failed ()'", 'lamp', 'no reason given'],
  ["z2m: Publish 'set' 'state' to 'lamp' failed: ''", 'lamp', 'no reason given'],
])('%s: the set for %s failed: %s', (message, topicName, reason) => {
  expect(inLog(message)).toEqual({ property: 'state', topicName, reason });
});

test.each([
  "Publish 'set' 'state' to '' failed: ",
  "Publish 'set' 'state' to 'lamp'",
  "' failed: Publish 'set' 'state' to 'lamp",
  "Publish 'get' 'state' to 'lamp' failed: 'no'",
])('%s reports no failure', (message) => {
  expect(inLog(message)).toBeUndefined();
});

test.each<[string, string, string | undefined]>([
  ['causes', `Publish 'set' 'a' to 'b' failed: '${' failed ('.repeat(7_200)}'`, 'b'],
  ['beginnings', ": Publish 'set' 'a' to 'x".repeat(2_600), undefined],
])('I1: a line of the log that is full of %s is read at once', (_, message, topicName) => {
  const tookMs = startProcessorWatch();
  expect(inLog(message)?.topicName).toBe(topicName);
  expectBelow('processor time, ms', tookMs(), 50);
});
