import { expect, test, vi } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import { type DeviceHome, openDeviceHome } from '#test/support/hub/device-home.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';

/** A value of a peer that ends. */
export type Ending = {
  readonly externalId: string;
  readonly key: string;
  /** Says what the hub then shows as `known`. */
  readonly tell: () => unknown;
  readonly known: JsonValue;
  /** How the peer says that it does not know it any more, for people. */
  readonly what: string;
  readonly end: () => unknown;
  /** What the peer knows at least; `null` where that is nothing. */
  readonly left: JsonValue;
};

/** What a peer says of one value: once it knows it, and in each way in which it does not. */
export type Told<Said> = readonly [
  key: string,
  known: JsonValue,
  tell: Said,
  ends: Readonly<Record<string, Said>>,
  left?: JsonValue,
];

export function endingsOf<Said>(
  externalId: string,
  told: readonly Told<Said>[],
  say: (said: Said) => unknown,
): readonly Ending[] {
  return told.flatMap(([key, known, tell, ends, left = null]) =>
    Object.entries(ends).map(([what, end]) => ({
      externalId,
      key,
      known,
      tell: () => say(tell),
      what,
      end: () => say(end),
      left,
    })),
  );
}

/** A number of a peer whose wire has forms for it that are none. */
export type Numbers = {
  readonly externalId: string;
  readonly key: string;
  /** Puts a form, as it is in JSON, in the place of the number on the wire. */
  readonly tell: (form: string) => unknown;
  /** What the hub shows of a number; the number itself unless it is said. */
  readonly shown?: (number: number) => number;
  /** Whether this wire can carry a form; it can carry all unless it is said. */
  readonly carries?: (form: string) => boolean;
  /** Forms that say nothing to readers of this wire, so that no log has them. */
  readonly silent?: readonly string[];
};

const NUMBERS: readonly (readonly [form: string, number: number])[] = [
  ['21.5', 21.5],
  ['"21.25"', 21.25],
  ['-40', -40],
  ['"-39.5"', -39.5],
  ['" 20.5 "', 20.5],
  ['"+3"', 3],
  ['0', 0],
  ['"007"', 7],
  ['1e1', 10],
  ['"1.2e1"', 12],
];
const NO_NUMBERS: readonly string[] = [
  '""',
  '" "',
  '"abc"',
  '"12abc"',
  '"1e999"',
  '1e999',
  '"0x10"',
  '"0b1"',
  '"NaN"',
  '"Infinity"',
  '"-inf"',
  '"21,5"',
  '"1_000"',
  '"١٢"',
  'true',
  '[]',
  '{}',
];

const POLL = { interval: 10 };
const AGAIN_MS = 1_000;

type World = {
  readonly integration: Integration;
  readonly command: { readonly externalId: string };
  readonly endings: readonly Ending[];
  readonly numbers: Numbers | null;
};
type Harness = {
  readonly openWorld: () => Promise<World>;
  readonly cleanups: (() => Promise<void>)[];
};

/** How the hub shows values that are not plainly there, the same for every integration. */
export function testValues({ openWorld, cleanups }: Harness): void {
  const start = async () => {
    const world = await openWorld();
    const { sink, home, refusals } = await openHome();
    const abort = new AbortController();
    const running = world.integration.run(sink, abort.signal);
    cleanups.push(async () => {
      abort.abort();
      await running;
    });
    await vi.waitFor(
      () => expect(home.find(world.command.externalId)?.availability).toMatchObject({ state: 'online' }),
      POLL,
    );
    return { ...world, home, refusals };
  };

  test('a value that the peer does not know any more ends, however it says so', async () => {
    const { home, endings } = await start();
    for (const { externalId, key, tell, known, what, end, left } of endings) {
      const shown = (): unknown => [key, what, valueOf(home, externalId, key)];
      await untilHeard(tell, () => expect(shown()).toEqual([key, what, known]));
      await end();
      await vi.waitFor(() => expect(shown()).toEqual([key, what, left]), POLL);
    }
  });

  test('a number is one in each of its forms, and what is none changes nothing and is logged once', async () => {
    const { home, refusals, numbers } = await start();
    if (numbers === null) return;
    const { externalId, key, tell, carries = () => true, shown = (number) => number, silent = [] } = numbers;
    const show = async (form: string, number: number): Promise<void> => {
      await untilHeard(
        () => tell(form),
        () => expect([form, valueOf(home, externalId, key)]).toEqual([form, shown(number)]),
      );
    };
    for (const [form, number] of NUMBERS) if (carries(form)) await show(form, number);
    expect(refusals).toEqual([]);
    await show('22', 22);
    const refused = NO_NUMBERS.filter((form) => carries(form));
    for (const form of refused) {
      const before = refusals.length;
      await tell(form);
      if (silent.includes(form)) continue;
      await vi.waitFor(() => expect([form, refusals.slice(before)]).toEqual([form, [`${externalId} ${key}`]]), POLL);
      expect([form, valueOf(home, externalId, key)]).toEqual([form, shown(22)]);
    }
    const isLogged = refused.some((form) => !silent.includes(form));
    const lines = home.lines.filter((line) => line.includes('it does not fit its feature'));
    expect(lines).toHaveLength(isLogged ? 1 : 0);
    await show('23', 23);
  });
}

/** Says it again if nobody heard: an integration may still be listening to the last of its devices. */
async function untilHeard(tell: () => unknown, check: () => void): Promise<void> {
  await vi.waitFor(async () => {
    await tell();
    await vi.waitFor(check, { ...POLL, timeout: AGAIN_MS });
  }, POLL);
}

function valueOf(home: DeviceHome, externalId: string, key: string): unknown {
  return home.find(externalId)?.states.get(key)?.value ?? null;
}

/** The registry of the hub, as the frame gives it to an integration. */
async function openHome(): Promise<{ sink: DeviceSink; home: DeviceHome; refusals: readonly string[] }> {
  const home = await openDeviceHome();
  const refusals: string[] = [];
  const { reports } = home;
  const sink: DeviceSink = {
    ...createRecordingSink(),
    ...reports,
    syncDevices: async (devices) => {
      await reports.syncDevices(devices);
      return true;
    },
    describeDevice: async (device) => {
      await reports.describeDevice(device);
      return true;
    },
    reportRefused: (externalId, key, value) => {
      refusals.push(`${externalId} ${key}`);
      reports.reportRefused(externalId, key, value);
    },
  };
  return { sink, home, refusals };
}
