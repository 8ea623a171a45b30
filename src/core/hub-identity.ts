/** The hub's name, and the id that distinguishes it from every other hub. */
export type HubIdentity = {
  readonly identity: () => { readonly id: string; readonly name: string };
  /** On disk when it resolves. */
  readonly rename: (name: string) => Promise<void>;
};

/** What the identity needs kept: text by key. */
export type HubIdentityStore = {
  readonly loadMeta: () => Promise<ReadonlyMap<string, string>>;
  readonly putMeta: (entries: ReadonlyMap<string, string>) => Promise<void>;
};

const ID = 'hub_id';
const NAME = 'hub_name';
/** The version that wrote the state last; each backup has it with everything else. */
export const HUB_VERSION_META = 'hub_version';

type Present = { readonly version: string; readonly newId: () => string };

/** Takes up the identity of the last run; a new hub gets an id for ever and a plain name. */
export async function openHubIdentity(store: HubIdentityStore, { version, newId }: Present): Promise<HubIdentity> {
  const meta = await store.loadMeta();
  const id = meta.get(ID) ?? newId();
  let name = meta.get(NAME) ?? 'Home';
  const news = new Map([
    ...(meta.has(ID)
      ? []
      : ([
          [ID, id],
          [NAME, name],
        ] as const)),
    ...(meta.get(HUB_VERSION_META) === version ? [] : ([[HUB_VERSION_META, version]] as const)),
  ]);
  if (news.size > 0) await store.putMeta(news);
  return {
    identity: () => ({ id, name }),
    rename: async (next) => {
      await store.putMeta(new Map([[NAME, next]]));
      name = next;
    },
  };
}
