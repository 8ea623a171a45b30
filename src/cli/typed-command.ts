import { basename, isAbsolute, relative } from 'node:path';
import type { Config } from '#config/config.ts';

export type Place = {
  /** Whether the program is where the package puts it. */
  readonly installed: boolean;
  readonly file: string;
  readonly folder: string;
};

type Chosen = Pick<Config, 'stateDir' | 'sources'>;

/** Spells the beginning of a command with which a person here reaches this program and this hub. */
export function typedCommand(place: Place, { stateDir, sources }: Chosen): string {
  return typed(place, sources, { program: pathFrom(place, place.file), state: pathFrom(place, stateDir) });
}

/** The same, for every reader on the network: it does not reveal the names of folders elsewhere on this machine. */
export function publicCommand(place: Place, { stateDir, sources }: Chosen): string {
  const [program, state] = [place.file, stateDir].map((path) => pathFrom(place, path));
  return typed(place, sources, {
    program: isAbsolute(program ?? '') ? basename(place.file) : (program ?? ''),
    state: isAbsolute(state ?? '') ? 'FOLDER' : (state ?? ''),
  });
}

function typed({ installed }: Place, sources: Config['sources'], shown: { program: string; state: string }): string {
  const words = installed ? ['sudo', 'hearthd'] : ['node', shown.program];
  const { kind } = sources.state_dir;
  // A state folder in the configuration file needs no option: every command reads the file.
  if (kind === 'flag' || kind === 'environment') words.push('--state-dir', shown.state);
  return words.map(quoted).join(' ');
}

/** Relative for a path below the current folder, else absolute. */
function pathFrom({ folder }: Place, path: string): string {
  const short = relative(folder, path);
  return short === '..' || short.startsWith('../') ? path : short || '.';
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
