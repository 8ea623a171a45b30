import { createTurnQueue } from '#base/turn-queue.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { RoomId } from '#core/room/room.ts';

/** How one person wants to see the home. An id may be of what is absent: it keeps its place for the return. */
export type HomeView = {
  /** In the person's order. */
  readonly favorites: readonly DeviceId[];
  /** Rooms that are not named follow by name. */
  readonly roomOrder: readonly RoomId[];
  readonly deviceOrder: readonly DeviceId[];
  readonly hidden: readonly (DeviceId | RoomId)[];
  /** In which the person wants to read, as a tag of BCP 47; `null`: whatever the client speaks. */
  readonly language: string | null;
};

export const PLAIN_VIEW: HomeView = { favorites: [], roomOrder: [], deviceOrder: [], hidden: [], language: null };

/** The views of all people. On disk before they hold. */
export type HomeViews = Awaited<ReturnType<typeof openHomeViews>>;

type HomeViewStore = {
  /** What an older version kept has no language. */
  readonly loadHomeViews: () => Promise<ReadonlyMap<string, Partial<HomeView>>>;
  /** For a user that is there; the view goes with the user. */
  readonly saveHomeView: (userId: string, view: HomeView) => Promise<void>;
};

export async function openHomeViews(store: HomeViewStore) {
  const byUser = new Map<string, HomeView>();
  for (const [userId, kept] of await store.loadHomeViews()) byUser.set(userId, { ...PLAIN_VIEW, ...kept });
  const of = (userId: string): HomeView => byUser.get(userId) ?? PLAIN_VIEW;
  const inTurn = createTurnQueue();
  return {
    of,
    // One after the other: two changes at once would each keep what the other one replaces.
    /** What is not named stays. */
    change: (userId: string, change: Partial<HomeView>): Promise<void> =>
      inTurn(async () => {
        const view = { ...of(userId), ...change };
        await store.saveHomeView(userId, view);
        byUser.set(userId, view);
      }),
  };
}
