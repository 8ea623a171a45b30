import { ended } from '#web/strings/language/grammar.ts';
import { counted } from './grammar.ts';

/** These words say what is wrong with the home. */
export const troubles = {
  notConnected: (name: string, since: string, lost: number) =>
    lost === 0
      ? `${name} has not been connected since ${since}.`
      : `${name} has not been connected since ${since}: ${counted(lost, 'device is', 'devices are')} out of reach.`,
  why: (message: string) => ended(message),
  of: (name: string, message: string) => ended(`${name}: ${message}`),
  checkConnection: 'Check the connection',
  whatToDo: 'What to do',
  resume: 'Run the automations again',
  /** Each trouble of the hub: what is wrong, and what to do. */
  ofHub: {
    export: [
      'A receiver of the history does not take anything.',
      'The hub tries again and loses nothing while the history keeps it. “Exports” in the settings says why.',
    ],
    full: [
      'The disk is full.',
      'Devices still work, but nothing new is saved. Free some space on the computer that runs the hub.',
    ],
    unavailable: [
      'The disk cannot be written to.',
      'Nothing new is saved. Check the disk or memory card: it may be worn out.',
    ],
    damaged: [
      'The database is damaged.',
      'Download a backup now and restart the hub: it goes back to the last good backup by itself.',
    ],
    read_only: [
      'The disk is read-only.',
      'The hub runs on a copy that is lost at the next restart. Replace the memory card or disk.',
    ],
    recovered: [
      'The database was damaged, and the hub went back to a backup.',
      'What was changed after that backup is missing. If it happens again, replace the memory card or disk.',
    ],
    emptied: [
      'The database was damaged, and there was no good backup.',
      'Restore one that you kept elsewhere, under Backups.',
    ],
    set_aside: [
      'A record in the database could not be read, so the hub does without it.',
      'It is kept for 90 days. “hearthd doctor” on the computer that runs the hub names it: set it up anew, or go back to a backup.',
    ],
    backup: ['The last backup failed.', 'Usually the disk is full. Free some space and make one under Backups.'],
    history: [
      'Nothing is recorded any more.',
      'The disk takes no history, so the charts have a gap from now on. Free some space, or check the disk.',
    ],
    history_left_out: [
      'A device reports more than can be recorded.',
      'It has used up its share of the day or of the month, so its charts have a gap until that is over; the notifications name it. Let it be recorded less often, or let the history take more room.',
    ],
    history_files: [
      'A file of the history cannot be used.',
      'What it has is a gap in the charts. Usually it was copied by another user: let it belong to the user of the hub, as in “chown hearthd: /var/lib/hearthd/history/*”. The log names the file.',
    ],
    low: [
      'The disk is nearly full.',
      'Free some space on the computer that runs the hub. Once the disk is full, nothing new is saved.',
    ],
    clock: [
      'The hub’s clock is not set.',
      'Times may be wrong until it is set. Logins are not affected. Connect the computer to a time server: run “timedatectl set-ntp true” on it.',
    ],
    automations: [
      'No automation runs, because the hub crashed three times within an hour while it dealt with one.',
      'Look for the cause there: disable or remove what was changed last. Then run the others again.',
    ],
    SAFE_MODE: [
      'An integration is stopped, because the hub crashed three times within an hour while it dealt with what that had sent.',
      'Look for the cause there, then start it again on its page under Integrations.',
    ],
    TOO_MANY_DEVICES: [
      'An integration sent more devices than a home can have.',
      'The hub keeps the devices that it had before. Find out what sends that list: someone else may be using the same connection.',
    ],
    DEVICES_TOO_LARGE: [
      'An integration sent devices that together are larger than the hub can hold.',
      'The hub keeps the devices that it had before. Find out what sends that list: someone else may be using the same connection.',
    ],
  } as Readonly<Record<string, readonly [text: string, todo: string]>>,
};
