import { DoorLock } from '@matter/main/clusters/door-lock';
import { Thermostat } from '@matter/main/clusters/thermostat';
import { Invoke } from '@matter/main/protocol';
import { EndpointNumber } from '@matter/main/types';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { checkAnswer, libraryValue } from '#integrations/matter-program/controller/node-talk.ts';

function requestOf(fields: unknown) {
  const commands = [{ endpoint: EndpointNumber(1), cluster: DoorLock, command: 'lockDoor', fields }];
  return () => Invoke({ commands, timed: true } as never);
}

describe('what is asked of a node, as the library takes it', () => {
  test('has bytes where the hub has their digits', () => {
    const model = [...DoorLock.schema.commands].find(({ propertyName }) => propertyName === 'lockDoor');
    const fields: JsonObject = { pinCode: '31323334' };
    expect(libraryValue(model, fields)).toEqual({ pinCode: Uint8Array.of(0x31, 0x32, 0x33, 0x34) });
    expect(requestOf(libraryValue(model, fields))).not.toThrow();
    // Without it the library refuses the command, and the lock never gets its code.
    expect(requestOf(fields)).toThrow('Expected bytes');
  });

  test('has them also deep in lists, and leaves texts and names alone', () => {
    const model = [...Thermostat.schema.attributes].find(({ propertyName }) => propertyName === 'presets');
    const preset = { presetHandle: '0aff', presetScenario: 1, name: 'abba', builtIn: true };
    expect(libraryValue(model, [preset])).toEqual([{ ...preset, presetHandle: Uint8Array.of(0x0a, 0xff) }]);
    expect(libraryValue(undefined, { any: ['0a'] })).toEqual({ any: ['0a'] });
  });
});

describe('an answer', () => {
  test.each<[unknown]>([
    [undefined],
    [null],
    [{}],
    [{ status: 0, statusText: '' }],
    [{ commandResponseState: { errorStateId: 0 } }],
  ])('%j is a yes', (data) => {
    expect(() => checkAnswer(data)).not.toThrow();
  });

  test.each<[unknown]>([
    [{ status: 1, statusText: 'not now' }],
    [{ status: 3 }],
    [{ commandResponseState: { errorStateId: 3, errorStateDetails: 'no water' } }],
  ])('%j is a no, in words that the hub has', (data) => {
    expect(() => checkAnswer(data)).toThrow(expect.objectContaining({ code: 0xcb }) as Error);
  });
});
