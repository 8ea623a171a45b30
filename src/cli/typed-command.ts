import { basename, isAbsolute, relative } from 'node:path';
import type { Config } from '#config/config.ts';

export type Place = {
  /** The program lies where the package puts it. */
  readonly installed: boolean;
  /** The file of the program. */
  readonly file: string;
  /** The folder in which a person types. */
  readonly folder: string;
};

type Chosen = Pick<Config, 'stateDir' | 'sources'>;

/** What a person types here before the name of a command, so that it is this program and this hub. */
export function typedCommand(place: Place, { stateDir, sources }: Chosen): string {
  return typed(place, sources, { program: pathFrom(place, place.file), state: pathFrom(place, stateDir) });
}

/** The same for everybody on the network to read: of folders elsewhere on this machine no name is told. */
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
  // What stands in the file, every command reads there.
  if (kind === 'flag' || kind === 'environment') words.push('--state-dir', shown.state);
  return words.map(quoted).join(' ');
}

/** As short as it can be from where the person is; absolute where that is not above it. */
function pathFrom({ folder }: Place, path: string): string {
  const short = relative(folder, path);
  return short === '..' || short.startsWith('../') ? path : short || '.';
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
