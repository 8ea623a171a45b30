import { afterEach, describe, expect, test, vi } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { isConfirmedBy } from '#core/command/confirmation.ts';
import type { Integration } from '#integrations/integration.ts';
import { createRecordingSink, type RecordingSink } from '#test/support/hub/recording-sink.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import { type Ending, type Numbers, testValues } from './contract-values.ts';

/** One integration together with its world: a broker, a simulation, … Opened anew for each test. */
export type IntegrationUnderTest = {
  readonly integration: Integration;
  /** Lines that the integration logged, in journal form (`<4>…` is a warning). */
  readonly logLines: readonly string[];
  /** Makes the devices unreachable (broker gone, simulation cut). */
  readonly breakLink: () => Promise<void>;
  readonly healLink: () => Promise<void>;
  /**
   * Sends what a hostile device or broker might send, to each place where the integration listens. Resolves once it was
   * delivered.
   */
  readonly sendGarbage: () => Promise<void>;
  /** All that `sendCommand` has sent towards devices so far. */
  readonly wire: () => readonly unknown[];
  /** A valid command, with the device id that the sink will see. */
  readonly command: { readonly externalId: string; readonly key: string; readonly value: JsonValue };
  /** Each way in which the peer can say that it does not know a value any more. */
  readonly endings: readonly Ending[];
  /** A number of the peer, in whatever form; `null` where there is no wire on which it could have another one. */
  readonly numbers: Numbers | null;
  /** A restart of the hub: another integration in the same world. */
  readonly reopen: () => Integration;
  /** Subscriptions, sockets and the like that the integration still holds in its world. */
  readonly openEnds: () => number;
  readonly close: () => Promise<void>;
};

/** What an integration waits for is over ten times sooner, such as its next try to connect. */
export type ContractTime = ReturnType<typeof createFastTime>;

const FASTER = 10;
const POLL = { interval: 20 };

function commandOf(world: IntegrationUnderTest, set: readonly [string, JsonValue][]): DeviceCommand {
  return { externalId: world.command.externalId, set: new Map(set), action: null, transitionMs: null };
}

/** All that a client could see, without times. */
function pictureOf(sink: RecordingSink): unknown {
  return [...sink.devices].map(([externalId, device]) => [externalId, device.description, [...device.values]]);
}

function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'Immediate').length;
}

/** Time for one world, which knows how many of its timers are still to come. */
function createCountedTime(): ContractTime & { readonly pending: () => number } {
  const { clock, startTimer } = createFastTime(FASTER);
  const pending = new Set<object>();
  return {
    clock,
    startTimer: (afterMs, run) => {
      const timer = {};
      pending.add(timer);
      const stop = startTimer(afterMs, () => {
        pending.delete(timer);
        run();
      });
      return () => {
        pending.delete(timer);
        stop();
      };
    },
    pending: () => pending.size,
  };
}

/** The promises of `Integration` and `DeviceSink`, the same for every integration. */
export function describeIntegrationContract(
  name: string,
  open: (time: ContractTime) => Promise<IntegrationUnderTest>,
): void {
  describe(`${name} keeps the integration contract`, () => {
    const cleanups: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
    });

    const start = (integration: Integration) => {
      const sink = createRecordingSink();
      const reported: { readonly externalId: string; readonly values: ReadonlyMap<string, JsonValue> }[] = [];
      const abort = new AbortController();
      const running = integration.run(
        {
          ...sink,
          reportValues: (externalId, values, observedAtMs) => {
            reported.push({ externalId, values: new Map(values) });
            sink.reportValues(externalId, values, observedAtMs);
          },
        },
        abort.signal,
      );
      const stop = async (): Promise<void> => {
        abort.abort();
        await running;
      };
      cleanups.push(stop);
      return { sink, reported, stop };
    };
    const openWorld = async (): Promise<IntegrationUnderTest & { readonly timers: () => number }> => {
      const { pending, ...time } = createCountedTime();
      const world = await open(time);
      cleanups.push(world.close);
      return { ...world, timers: pending };
    };
    const untilUp = async (sink: RecordingSink, world: IntegrationUnderTest): Promise<void> => {
      await vi.waitFor(() => {
        expect(sink.statuses.at(-1)?.state).toBe('connected');
        expect(sink.device(world.command.externalId).availability?.state).toBe('online');
      }, POLL);
    };

    testValues({ openWorld, cleanups });

    test('devices and features have the same ids after a restart', async () => {
      const world = await openWorld();
      const first = start(world.integration);
      await untilUp(first.sink, world);
      await first.stop();
      const second = start(world.reopen());
      await untilUp(second.sink, world);
      const identities = (sink: RecordingSink): unknown =>
        [...sink.devices.values()].map(({ description }) => [
          description.externalId,
          description.features.map((feature) => feature.key),
        ]);
      await vi.waitFor(() => expect(identities(second.sink)).toEqual(identities(first.sink)), POLL);
      expect(first.sink.devices.size).toBeGreaterThan(0);
    });

    test('feature keys are unique in every device', async () => {
      const world = await openWorld();
      const { sink } = start(world.integration);
      await untilUp(sink, world);
      for (const { description } of sink.devices.values()) {
        const keys = description.features.map((feature) => feature.key);
        expect(new Set(keys).size).toBe(keys.length);
      }
    });

    test('I1: malformed messages change nothing', async () => {
      const world = await openWorld();
      const { sink } = start(world.integration);
      await untilUp(sink, world);
      const command = commandOf(world, [[world.command.key, world.command.value]]);
      const echo = async (): Promise<void> => {
        const reports = sink.calls.get('reportValues') ?? 0;
        await world.integration.sendCommand(command);
        await vi.waitFor(() => expect(sink.calls.get('reportValues') ?? 0).toBeGreaterThan(reports), POLL);
      };
      await echo();
      const before = structuredClone(pictureOf(sink));
      await world.sendGarbage();
      // Its answer comes after the garbage.
      await echo();
      expect(pictureOf(sink)).toEqual(before);
      expect(sink.statuses.at(-1)?.state).toBe('connected');
    });

    test('I2: a lost link marks devices unavailable; its loss and its return are each logged once', async () => {
      const world = await openWorld();
      const { sink } = start(world.integration);
      await untilUp(sink, world);
      const logged = world.logLines.length;
      await world.breakLink();
      await vi.waitFor(() => {
        expect(sink.statuses.at(-1)?.state).not.toBe('connected');
        for (const device of sink.devices.values()) {
          expect(device.availability?.state).not.toBe('online');
          expect(device.availability?.reason).not.toBeNull();
        }
      }, POLL);
      expect(sink.statuses.at(-1)?.message).toBeTruthy();
      const lines = (levels: RegExp): readonly string[] =>
        world.logLines.slice(logged).filter((line) => levels.test(line));
      await vi.waitFor(() => expect(lines(/^<[34]>/)).toHaveLength(1), POLL);
      await world.healLink();
      await untilUp(sink, world);
      await vi.waitFor(() => expect(lines(/^<[346]>/)).toHaveLength(2), POLL);
    });

    test('I2: a command fails at once while the link is down and is never delivered later', async () => {
      const world = await openWorld();
      const { sink } = start(world.integration);
      await untilUp(sink, world);
      await world.breakLink();
      await vi.waitFor(() => expect(sink.statuses.at(-1)?.state).not.toBe('connected'), POLL);
      const sent = world.wire().length;
      const { key, value } = world.command;
      const command = commandOf(world, [[key, value]]);
      await expect(world.integration.sendCommand(command)).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
      await world.healLink();
      await untilUp(sink, world);
      // What was kept would be sent before the next one.
      await world.integration.sendCommand(command);
      await vi.waitFor(() => expect(world.wire().length).toBeGreaterThan(sent), POLL);
      expect(world.wire()).toHaveLength(sent + 1);
    });

    test('a valid command reaches the wire, one outside the features never does', async () => {
      const world = await openWorld();
      const { sink } = start(world.integration);
      await untilUp(sink, world);
      const sent = world.wire().length;
      const { key, value } = world.command;
      const features = sink.device(world.command.externalId).description.features;
      const readOnly = features.find((feature) => !feature.writable);
      const outside: DeviceCommand[] = [
        commandOf(world, [['no.such.key', true]]),
        commandOf(world, [[key, { not: 'a value' }]]),
        commandOf(world, [[key, null]]),
        commandOf(world, [
          [key, value],
          ['no.such.key', true],
        ]),
        { ...commandOf(world, [[key, value]]), externalId: 'no such device' },
        { ...commandOf(world, []), action: 'no.such.action' },
        ...(readOnly === undefined ? [] : [commandOf(world, [[readOnly.key, value]])]),
      ];
      for (const command of outside)
        await expect(world.integration.sendCommand(command)).rejects.toBeInstanceOf(HubError);
      expect(world.wire()).toHaveLength(sent);
      await world.integration.sendCommand(commandOf(world, [[key, value]]));
      await vi.waitFor(() => {
        expect(world.wire().length).toBeGreaterThan(sent);
        expect(sink.device(world.command.externalId).values.get(key)).toEqual(value);
      }, POLL);
    });

    test('the same wish twice in a row is confirmed twice', async () => {
      const world = await openWorld();
      const { sink, reported } = start(world.integration);
      await untilUp(sink, world);
      const { externalId, key, value } = world.command;
      const feature = sink.device(externalId).description.features.find((one) => one.key === key);
      if (feature === undefined) throw new Error(`there is no ${key}`);
      for (let time = 0; time < 3; time += 1) {
        reported.length = 0;
        await world.integration.sendCommand(commandOf(world, [[key, value]]));
        await vi.waitFor(() => {
          const own = reported.filter((one) => one.externalId === externalId).map(({ values }) => values.get(key));
          expect(own.some((one) => one !== undefined && isConfirmedBy(feature, value, one))).toBe(true);
        }, POLL);
      }
    });

    test('abort leaves no subscription, socket or timer', async () => {
      const world = await openWorld();
      const timers = activeTimers();
      const { sink, stop } = start(world.integration);
      await untilUp(sink, world);
      await stop();
      await vi.waitFor(() => {
        expect([world.openEnds(), world.timers()]).toEqual([0, 0]);
        // Those of packages, which also count what other files have left. One more may be the timer of this poll.
        expect(activeTimers()).toBeLessThanOrEqual(timers + 1);
      }, POLL);
    });

    test('abort while the link is down ends it as well', async () => {
      const world = await openWorld();
      const { sink, stop } = start(world.integration);
      await untilUp(sink, world);
      await world.breakLink();
      await vi.waitFor(() => expect(sink.statuses.at(-1)?.state).not.toBe('connected'), POLL);
      await stop();
      // The other side may notice a little later.
      await vi.waitFor(() => expect([world.openEnds(), world.timers()]).toEqual([0, 0]), POLL);
    });
  });
}
