import { expect, onTestFinished, test } from 'vitest';
import { placesOf } from '#integrations/home-assistant-discovery/offering/places.ts';
import { createPublisher } from '#integrations/home-assistant-discovery/offering/publisher.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

test('a message that was under way when all was forgotten is sent again', async () => {
  const { startTimer, advance } = createManualTime();
  const places = placesOf({ hubId: 'hub', instance: 'instance' });
  const topic = places.stateTopic('lamp', 'state');
  const sent: string[] = [];
  const acknowledge: (() => void)[] = [];
  const publisher = createPublisher({
    link: {
      publish: (one) => {
        sent.push(one);
        return new Promise((resolve) => void acknowledge.push(resolve));
      },
    },
    places,
    prefix: 'homeassistant',
    messagesFor: () => new Map([[topic, '{"on":true}']]),
    startTimer,
    log: createRecordingLog().log,
  });
  onTestFinished(publisher.stop);
  const takeAll = async (): Promise<void> => {
    for (const take of acknowledge.splice(0)) take();
    await advance(100);
  };
  publisher.setReady(true);
  publisher.mark(['lamp']);
  await advance(100);
  expect(sent).toEqual([topic]);
  publisher.forgetSent();
  publisher.mark(['lamp']);
  await takeAll();
  expect(sent).toEqual([topic, topic]);
  await takeAll();
  publisher.mark(['lamp']);
  await advance(100);
  expect(sent).toEqual([topic, topic]);
});
