import { createLog } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { openStorage } from '#storage/open/open-storage.ts';
import { storageInProcess } from '#storage/storage.ts';
import { NOW_MS, makeDevice, makeUser, makeValue } from '#test/storage/storage-makers.ts';

// Commits for ever and prints a line after each commit. The parent kills it.
const [, , state = '', first = '0'] = process.argv;
const complain = (cause: unknown): void => void process.stderr.write(`${String(cause)}\n`);
const storage = storageInProcess(
  await openStorage({
    folders: { state, runtime: `${state}-run` },
    log: createLog({
      level: 'warn',
      journal: false,
      wallMs: () => 0,
      write: (line) => void process.stderr.write(line),
    }),
    wallMs: () => NOW_MS,
    startTimer: startSystemTimer,
    random: systemRandom,
    onFailure: complain,
  }),
);
process.stdout.write('open\n');
for (let number = Number(first) + 1; ; number += 1) {
  await storage.users.insertUser(makeUser(number));
  await storage.devices.saveDevices([makeDevice(number)]);
  for (let key = 0; key < 50; key += 1) storage.devices.saveValue(makeValue(number, `key_${key}`, number));
  process.stdout.write(`${number}\n`);
}
