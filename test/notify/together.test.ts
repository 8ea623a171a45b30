import { expect, test, vi } from 'vitest';
import { HOUSEHOLD } from '#core/notification/notification.ts';
import { worded } from '#core/notification/worded.ts';
import { contentOf, openChannelHome, settingsOf, startNtfy, startReceiver } from './channel-home.ts';

type Home = Awaited<ReturnType<typeof openChannelHome>>;

/** Lets time pass in steps in which requests can end. */
async function passUntil(home: Home, isDone: () => boolean, stepMs = 1_000): Promise<void> {
  await vi.waitFor(
    async () => {
      if (home.underWay() === 0) await home.time.advance(stepMs);
      expect(isDone()).toBe(true);
    },
    { interval: 5 },
  );
}

test('what waits for a phone comes as one push of a kind, and what is critical as its own', async () => {
  const home = await openChannelHome();
  const [ntfy, receiver] = [await startNtfy(), await startReceiver()];
  ntfy.status = 503;
  await home.channels.add(settingsOf({ url: ntfy.url }));
  await home.channels.add(settingsOf({ type: 'webhook', url: receiver.url }));
  const raise = (builtIn: 'battery_low' | 'water', device: string): void => {
    const severity = builtIn === 'water' ? ('critical' as const) : ('warning' as const);
    const whom = { to: HOUSEHOLD, deviceId: null, repeatS: null };
    home.notifications.raise({
      builtIn,
      severity,
      ...worded(builtIn, { device }),
      ...whom,
      key: `${builtIn} ${device}`,
      quietMs: 0,
    });
  };
  for (const room of ['Bad', 'Flur', 'Küche']) raise('battery_low', `${room} – Tür`);
  raise('water', 'Bad – Tür');
  await home.notifications.post(contentOf());
  await passUntil(home, () => receiver.received.length >= 5);
  ntfy.received.length = 0;
  ntfy.status = 200;
  await passUntil(home, () => home.stateOf(home).every(([, state]) => state?.startsWith('accepted') === true));
  expect(ntfy.received.map(({ json }) => json['title'])).toEqual(
    expect.arrayContaining(['Water: Bad – Tür', '3 batteries are low', 'The door is open']),
  );
  expect(ntfy.received).toHaveLength(3);
  const many = ntfy.received.find(({ json }) => json['title'] === '3 batteries are low');
  expect(String(many?.json['message']).split('\n').toSorted()).toEqual(['Bad – Tür', 'Flur – Tür', 'Küche – Tür']);
  // A program gets each by itself.
  expect(receiver.received).toHaveLength(5);
});
