import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { StartProgram } from '#hub/program-watch.ts';
import { createSharedPrograms } from '#hub/integration/shared-programs.ts';
import type { FromProgram, ProgramLife, ToProgram } from '#integrations/ports.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

type Word = { readonly word: string };
type Process = {
  readonly heard: ToProgram[];
  readonly say: (said: FromProgram) => void;
  readonly die: (why: string) => void;
  /** It answers the end of a part with its last word. */
  endsParts: boolean;
  /** It runs and does nothing any more. */
  hangs: boolean;
};
type Part = {
  readonly life: ProgramLife<Word>;
  /** What it has heard, in order. */
  readonly told: unknown[];
  readonly answers: ((message: Word) => void)[];
  readonly leave: () => Promise<void>;
  readonly ran: Promise<void>;
};

/** Programs that the test plays, and parts that write down what they hear. */
function openPrograms() {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const processes: Process[] = [];
  const startProgram: StartProgram = (_name, onMessage) => {
    let die: (why: string) => void = () => undefined;
    const ended = new Promise<string>((resolve) => (die = resolve));
    const own: Process = { heard: [], say: onMessage, die, endsParts: true, hangs: false };
    processes.push(own);
    return {
      send: (message) => {
        if ('isPing' in message) {
          if (!own.hangs) queueMicrotask(() => onMessage({ isPong: true }));
          return;
        }
        own.heard.push(message);
        if ('isEnd' in message && own.endsParts) queueMicrotask(() => onMessage({ part: message.part, isEnded: true }));
      },
      ended,
      kill: () => die('killed'),
    };
  };
  const join = createSharedPrograms({ ...time, random: () => 0, log, startProgram });
  const enter = (name: string, begin: () => Promise<Word> = async () => ({ word: 'begin' })): Part => {
    const told: unknown[] = [];
    const answers: Part['answers'] = [];
    const life = join<Word, Word>('talker', {
      name,
      begin,
      onMessage: ({ word }, answer) => {
        told.push(word);
        answers.push(answer);
      },
      onDown: (why, isOver) => void told.push(isOver ? `over: ${why}` : `down: ${why}`),
    });
    const ending = new AbortController();
    const ran = life.run(ending.signal);
    const leave = (): Promise<void> => {
      ending.abort();
      return ran;
    };
    onTestFinished(async () => {
      const left = leave().catch(() => undefined);
      await time.advance(2_000);
      await left;
    });
    return { life, told, answers, leave, ran };
  };
  const process = async (count: number): Promise<Process> => {
    await vi.waitFor(() => expect(processes).toHaveLength(count));
    await time.advance(0);
    const found = processes.at(-1);
    if (found === undefined) throw new Error('none has started');
    return found;
  };
  return { time, lines, enter, process, count: () => processes.length };
}

const begun = (part: string): ToProgram => ({ part, message: { word: 'begin' } });

describe('a program that several share', () => {
  test('is one process from the first to the last of them, and each has its own words', async () => {
    const { enter, process, count } = openPrograms();
    const left = enter('left');
    const talker = await process(1);
    const right = enter('right');
    await process(1);
    expect(talker.heard).toEqual([begun('left'), begun('right')]);
    expect([left.life.send({ word: 'one' }), right.life.send({ word: 'two' })]).toEqual([true, true]);
    expect(talker.heard.slice(2)).toEqual([
      { part: 'left', message: { word: 'one' } },
      { part: 'right', message: { word: 'two' } },
    ]);
    talker.say({ part: 'right', message: { word: 'back' } });
    expect([left.told, right.told]).toEqual([[], ['back']]);
    await left.leave();
    expect(right.life.send({ word: 'still here' })).toBe(true);
    const gone = vi.fn<() => void>();
    talker.say({ part: 'left', message: { word: 'late' } });
    await right.leave().then(gone);
    expect([left.told, gone.mock.calls.length, count()]).toEqual([[], 1, 1]);
    enter('left');
    expect((await process(2)).heard).toEqual([begun('left')]);
  });

  test('both ends at once leave no process', async () => {
    const { enter, process, count } = openPrograms();
    const [left, right] = [enter('left'), enter('right')];
    await process(1);
    await Promise.all([left.leave(), right.leave()]);
    expect([left.life.send({ word: 'x' }), count()]).toEqual([false, 1]);
  });

  test('its death reaches each of them, and it starts again for all', async () => {
    const { enter, process, time, lines } = openPrograms();
    const [left, right] = [enter('left'), enter('right')];
    (await process(1)).die('signal SIGKILL');
    await time.advance(0);
    expect([left.told, right.told]).toEqual([['down: signal SIGKILL'], ['down: signal SIGKILL']]);
    expect(left.life.send({ word: 'lost' })).toBe(false);
    await time.advance(1_000);
    expect((await process(2)).heard).toEqual([begun('left'), begun('right')]);
    expect(lines.filter((line) => line.includes('the program ended'))).toHaveLength(1);
  });

  test('five deaths are counted once, reach both, and a person who switches one of them on wakes both', async () => {
    const { enter, process, time, count } = openPrograms();
    const [left, right] = [enter('left'), enter('right')];
    for (let death = 1; death <= 5; death += 1) {
      (await process(death)).die('code 1');
      await time.advance(60_000);
    }
    const told = [...Array.from({ length: 4 }, () => 'down: code 1'), 'over: code 1'];
    expect([left.told, right.told, count()]).toEqual([told, told, 5]);
    await left.leave();
    expect(count()).toBe(5);
    enter('left');
    expect((await process(6)).heard).toEqual([begun('right'), begun('left')]);
  });

  test('from five deaths on it is tried after pauses that grow to an hour, for ever, and may recover', async () => {
    const { enter, process, time } = openPrograms();
    const { told } = enter('left');
    const day = 86_400_000;
    const pauses: number[] = [];
    for (let death = 1; death <= 11; death += 1) {
      (await process(death)).die('code 1');
      await time.advance(0);
      pauses.push(time.pendingMs()[0] ?? 0);
      await time.advance(pauses.at(-1) ?? 0);
    }
    // At least half of twice the one before: what is above is drawn, and 0 here.
    expect(pauses).toEqual([
      1_000, 1_000, 2_000, 4_000, 300_000, 300_000, 600_000, 1_200_000, 1_800_000, 1_800_000, 1_800_000,
    ]);
    expect(told.slice(3)).toEqual(['down: code 1', ...Array.from({ length: 7 }, () => 'over: code 1')]);
    const own = await process(12);
    await time.advance(day);
    own.die('code 1');
    await time.advance(1_000);
    await process(13);
    expect(told.at(-1)).toBe('down: code 1');
  });

  test('one that hangs is killed after a minute of silence, which is a death', async () => {
    const { enter, process, time, lines } = openPrograms();
    const { told } = enter('left');
    const own = await process(1);
    await time.advance(3_600_000);
    own.hangs = true;
    await time.advance(59_999);
    expect(told).toEqual([]);
    // Any word shows that it is there.
    own.say({ part: 'left', message: { word: 'busy' } });
    await time.advance(59_999);
    expect(told).toEqual(['busy']);
    await time.advance(10_001);
    expect(told).toEqual(['busy', 'down: it did not answer for a minute']);
    expect(lines.filter((line) => line.includes('the program ended'))).toHaveLength(1);
    await time.advance(1_000);
    expect((await process(2)).heard).toEqual([begun('left')]);
  });

  test('one that lived for long had recovered', async () => {
    const { enter, process, time } = openPrograms();
    const { told } = enter('left');
    for (let death = 1; death <= 8; death += 1) {
      const own = await process(death);
      await time.advance(120_001);
      own.die('code 1');
      await time.advance(1_000);
    }
    expect(told).toEqual(Array.from({ length: 8 }, () => 'down: code 1'));
  });
});

describe('a part of a program', () => {
  test('begins anew and leaves the other one alone; what answers the part of before reaches nobody', async () => {
    const { enter, process } = openPrograms();
    const [left, right] = [enter('left'), enter('right')];
    const talker = await process(1);
    talker.say({ part: 'left', message: { word: 'keep this' } });
    left.life.renew();
    await process(1);
    expect(talker.heard.slice(2)).toEqual([{ part: 'left', isEnd: true }, begun('left')]);
    left.answers[0]?.({ word: 'kept' });
    expect(talker.heard).toHaveLength(4);
    expect([left.told, right.told]).toEqual([['keep this'], []]);
  });

  test('ends once, however often it is asked to begin anew or to leave meanwhile, and ends nobody else', async () => {
    const { enter, process, time, count } = openPrograms();
    const [left, right] = [enter('left'), enter('right')];
    const talker = await process(1);
    for (let asked = 0; asked < 3; asked += 1) left.life.renew();
    await process(1);
    expect(talker.heard.slice(2)).toEqual([{ part: 'left', isEnd: true }, begun('left')]);
    left.life.renew();
    await left.leave();
    expect(talker.heard.slice(4)).toEqual([{ part: 'left', isEnd: true }]);
    await time.advance(20_000);
    expect([right.told, count()]).toEqual([[], 1]);
  });

  test('is heard and answered while it ends', async () => {
    const { enter, process } = openPrograms();
    const [left] = [enter('left'), enter('right')];
    const talker = await process(1);
    talker.endsParts = false;
    const gone = left.leave();
    await process(1);
    talker.say({ part: 'left', message: { word: 'keep this' } });
    left.answers[0]?.({ word: 'kept' });
    expect(talker.heard.at(-1)).toEqual({ part: 'left', message: { word: 'kept' } });
    talker.say({ part: 'left', isEnded: true });
    await gone;
  });

  test('that does not end costs the other one a new start, which is no death', async () => {
    const { enter, process, time, lines } = openPrograms();
    const [left, right] = [enter('left'), enter('right')];
    (await process(1)).endsParts = false;
    const gone = left.leave();
    await time.advance(19_999);
    expect(right.told).toEqual([]);
    await time.advance(1);
    await gone;
    expect((await process(2)).heard).toEqual([begun('right')]);
    expect([left.told, right.told]).toEqual([[], ['down: killed']]);
    expect(lines.filter((line) => line.includes('the program ended'))).toEqual([]);
  });

  test('that is the last one and does not end is killed before the frame gives it up', async () => {
    const { enter, process, time } = openPrograms();
    const left = enter('left');
    (await process(1)).endsParts = false;
    const gone = left.leave();
    await time.advance(1_500);
    await gone;
    expect(left.told).toEqual([]);
  });

  test('that cannot begin fails alone', async () => {
    const { enter, process, count } = openPrograms();
    const right = enter('right');
    const talker = await process(1);
    const left = enter('left', async () => {
      throw new Error('EIO');
    });
    await expect(left.ran).rejects.toThrow('EIO');
    expect(talker.heard).toEqual([begun('right')]);
    expect([right.told, right.life.send({ word: 'here' }), count()]).toEqual([[], true, 1]);
  });

  test('that leaves while the program waits for its next start ends at once', async () => {
    const { enter, process, time } = openPrograms();
    const left = enter('left');
    (await process(1)).die('code 1');
    await time.advance(0);
    await left.leave();
    expect(time.pendingMs()).toEqual([]);
  });
});

test('what went wrong in no part is logged, each text once', async () => {
  const { enter, process, lines } = openPrograms();
  const left = enter('left');
  const talker = await process(1);
  for (let count = 0; count < 3; count += 1) talker.say({ fault: 'a promise failed' });
  for (let count = 0; count < 500; count += 1) talker.say({ fault: `another one ${count}` });
  expect(lines.filter((line) => line.includes('a promise failed'))).toHaveLength(1);
  expect(lines.length).toBeLessThan(110);
  expect(left.told).toEqual([]);
});
