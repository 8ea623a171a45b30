import type { DeviceId } from '#core/device/device.ts';
import type { RoomId } from '#core/room/room.ts';

/** How one person wants to see the home. An id may be of what is absent: it keeps its place for the return. */
export type HomeView = {
  /** In the person's order. */
  readonly favorites: readonly DeviceId[];
  /** Those that are not named follow by name. */
  readonly roomOrder: readonly RoomId[];
  readonly deviceOrder: readonly DeviceId[];
  readonly hidden: readonly (DeviceId | RoomId)[];
};

export const PLAIN_VIEW: HomeView = { favorites: [], roomOrder: [], deviceOrder: [], hidden: [] };

/** The views of all people. On disk before they hold. */
export type HomeViews = {
  readonly of: (userId: string) => HomeView;
  readonly set: (userId: string, view: HomeView) => Promise<void>;
};

export type HomeViewStore = {
  readonly loadHomeViews: () => Promise<ReadonlyMap<string, HomeView>>;
  /** For a user that is there; the view goes with the user. */
  readonly saveHomeView: (userId: string, view: HomeView) => Promise<void>;
};

export async function openHomeViews(store: HomeViewStore): Promise<HomeViews> {
  const byUser = new Map(await store.loadHomeViews());
  return {
    of: (userId) => byUser.get(userId) ?? PLAIN_VIEW,
    set: async (userId, view) => {
      await store.saveHomeView(userId, view);
      byUser.set(userId, view);
    },
  };
}
