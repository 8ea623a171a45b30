import { HubError, requireThing } from '#base/hub-error.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import {
  asideKey,
  type Credentials,
  type Exporter,
  type ExporterChange,
  type ExporterId,
  type Exporters,
  type ExporterStore,
  type ExportStart,
  type KnownExporter,
  markKey,
  type SetAside,
  targetOf,
} from '#core/exporter/exporter.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { type ExportMark, markAt, markText, readMark, readSetAside } from './export-mark.ts';
import { createExporterRunner, type ExporterRunner, type ExporterRunnerDeps } from './exporter-runner.ts';

export type ExportersDeps = Omit<ExporterRunnerDeps, 'history' | 'onStatus'> & {
  readonly store: ExporterStore;
  readonly history: Pick<HistoryStore, 'readNumbered' | 'locate'>;
  readonly loadMeta: () => Promise<ReadonlyMap<string, string>>;
  readonly secrets: ExporterSecrets;
  readonly newId: () => string;
  /** The status or the settings are others; `removed`: it is gone. */
  readonly onChange: (exporter: KnownExporter, isRemoved: boolean) => void;
};

/** Credentials as files beside the database, each with the target for which they were given. */
type ExporterSecrets = {
  /** On disk once resolved, beside the old file. Resolves with the name of the file. */
  readonly write: (
    exporter: Pick<Exporter, 'id' | 'secret'>,
    credentials: Credentials,
    target: string,
  ) => Promise<string>;
  readonly remove: (file: string) => Promise<void>;
};

/** A limit, because each takes a share of the storage's thread and of the network. */
const MAX_EXPORTERS = 8;

type Entry = { exporter: Exporter; readonly runner: ExporterRunner };

/** Starts to send at once; `stop` breaks off what is under way. */
export async function openExporters(deps: ExportersDeps): Promise<Exporters & { readonly stop: () => Promise<void> }> {
  const book = createBook(deps);
  const { entries, add, entryOf } = book;
  const meta = await deps.loadMeta();
  for (const exporter of await deps.store.loadExporters()) {
    add(exporter, readMark(meta.get(markKey(exporter.id))), readSetAside(meta.get(asideKey(exporter.id))));
  }
  return {
    ...createChanges(deps, book),
    exporters: () => [...entries.values()].map(shown),
    findExporter: (id) => {
      const entry = entries.get(id);
      return entry && shown(entry);
    },
    testExporter: async (id, given) => entryOf(id).runner.test(given?.authorize),
    stop: async () => {
      await Promise.all([...entries.values()].map(({ runner }) => runner.stop()));
    },
  };
}

type Book = ReturnType<typeof createBook>;

function createBook(deps: ExportersDeps) {
  const entries = new Map<string, Entry>();
  const onStatus = ({ id }: Exporter): void => {
    const entry = entries.get(id);
    if (entry !== undefined) deps.onChange(shown(entry), false);
  };
  return {
    entries,
    add: (exporter: Exporter, mark: ExportMark, setAside: readonly SetAside[] = []): Entry => {
      const entry = { exporter, runner: createExporterRunner({ ...deps, onStatus }, { exporter, mark, setAside }) };
      entries.set(exporter.id, entry);
      return entry;
    },
    entryOf: (id: string): Entry => {
      return requireThing(entries.get(id), 'exporter');
    },
  };
}

type Changes = Pick<Exporters, 'addExporter' | 'updateExporter' | 'removeExporter' | 'replayExporter'>;

function createChanges(deps: ExportersDeps, { entries, add, entryOf }: Book): Changes {
  const { store, history, secrets, clock, newId } = deps;
  const inTurn = createTurnQueue();
  const change = async (entry: Entry, exporter: Exporter, mark?: ExportMark): Promise<KnownExporter> => {
    await store.saveExporter(exporter, mark === undefined ? null : markText(mark));
    entry.exporter = exporter;
    await entry.runner.change(exporter, mark);
    deps.onChange(shown(entry), false);
    return shown(entry);
  };
  return {
    addExporter: ({ settings, credentials, from }, given) =>
      inTurn(async () => {
        given?.authorize?.();
        if (entries.size >= MAX_EXPORTERS) {
          throw new HubError('LIMIT_REACHED', `There can be ${MAX_EXPORTERS} exporters.`);
        }
        const nowMs = clock.wallMs();
        const id = newId() as ExporterId;
        const { start, mark } = await startAt(history, from, deps.nowMs());
        const times = { revision: 1, createdAtMs: nowMs, updatedAtMs: nowMs };
        const secret = await changeSecret(secrets, { id, secret: null }, { settings, credentials });
        const exporter: Exporter = { ...settings, id, secret, start, ...times };
        await store.saveExporter(exporter, markText(mark));
        const entry = add(exporter, mark);
        deps.onChange(shown(entry), false);
        return shown(entry);
      }),
    updateExporter: (id, makeChange, given) =>
      inTurn(async () => {
        const entry = entryOf(id);
        given?.authorize?.();
        const old = entry.exporter;
        const changed = makeChange(old);
        const isElsewhere = targetOf(changed.settings) !== targetOf(old);
        const credentials = changed.credentials === undefined && isElsewhere ? null : changed.credentials;
        const secret = await changeSecret(secrets, old, { ...changed, credentials });
        const revision = (old.revision ?? 1) + 1;
        const next = { ...old, ...changed.settings, secret, revision, updatedAtMs: clock.wallMs() };
        const known = await change(entry, next);
        if (old.secret !== null && old.secret !== secret) await secrets.remove(old.secret);
        return known;
      }),
    removeExporter: (id, given) =>
      inTurn(async () => {
        const entry = entryOf(id);
        given?.authorize?.();
        await entry.runner.stop();
        try {
          await store.deleteExporter(id);
        } catch (cause) {
          add(entry.exporter, entry.runner.mark(), entry.runner.state().setAside);
          throw cause;
        }
        entries.delete(id);
        if (entry.exporter.secret !== null) await secrets.remove(entry.exporter.secret);
        deps.onChange(shown(entry), true);
      }),
    replayExporter: (id, from, given) =>
      inTurn(async () => {
        const entry = entryOf(id);
        given?.authorize?.();
        const { start, mark } = await startAt(history, from, deps.nowMs());
        const { setAsideCount, gaps, lostSamples } = entry.runner.mark();
        const moved = { ...mark, setAsideCount, gaps, lostSamples };
        return change(entry, { ...entry.exporter, start, updatedAtMs: clock.wallMs() }, moved);
      }),
  };
}

/** Resolves with the file of the credentials. */
async function changeSecret(
  secrets: ExporterSecrets,
  old: Pick<Exporter, 'id' | 'secret'>,
  { settings, credentials }: ExporterChange,
): Promise<string | null> {
  if (credentials === undefined) return old.secret;
  return credentials === null ? null : secrets.write(old, credentials, targetOf(settings));
}

async function startAt(
  history: Pick<HistoryStore, 'readNumbered' | 'locate'>,
  from: ExportStart,
  nowMs: number,
): Promise<{ readonly start: Exporter['start']; readonly mark: ExportMark }> {
  const { from: position, end } = await history.locate(
    from === 'now' ? Infinity : from === 'beginning' ? -Infinity : from.atMs,
  );
  const countedTo = (await history.readNumbered(end)).forgotten.at(-1)?.to ?? 0;
  const atMs = from === 'now' ? nowMs : from === 'beginning' ? null : from.atMs;
  return { start: atMs === null ? null : { atMs, below: end }, mark: markAt(position, countedTo) };
}

function shown({ exporter, runner }: Entry): KnownExporter {
  return { exporter, state: runner.state() };
}
