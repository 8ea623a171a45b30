import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { IconName } from '#web/icon-lines.ts';
import { inOrder, moved, toggled } from '#web/state/home-view.ts';
import type { HomeView } from '#web/client/api.ts';
import { arrange as arrangeWords } from '#web/strings/en/home/arrange.ts';

type Item = {
  readonly id: string;
  readonly name: string;
  readonly icon: IconName;
  readonly href: string;
  readonly note?: string;
};
type Props = {
  readonly items: readonly Item[];
  /** The list of the person that is put in order. What is no favorite can be hidden, and a favorite only taken out. */
  readonly list: 'favorites' | 'room_order' | 'device_order';
};

/** Puts things into a person's own order: by two buttons each, which fingers, keyboards and voices all can use. */
export function ArrangeList({ items, list }: Props) {
  const { own, messages } = useHub();
  const ids = new Set(items.map(({ id }) => id));
  const hidden = own.view.value?.hidden ?? [];
  const save = async (change: (now: HomeView) => Partial<HomeView>): Promise<void> => {
    const words = await own.save(change);
    if (words !== undefined) messages.show(words, 'danger');
  };
  const move = (id: string, by: -1 | 1): void => {
    void save(({ [list]: order }) => {
      // Only the devices of this room are here; the others keep their places.
      const others = order.filter((one) => !ids.has(one));
      const isIn = (one: string): boolean => list !== 'favorites' || order.includes(one);
      const shown = inOrder(items, order).map((item) => item.id);
      return { [list]: [...others, ...moved(shown.filter(isIn), id, by)] };
    });
  };
  return (
    <ul class="rows arrange">
      {items.map(({ id, name, icon, href, note }, index) => {
        const isHidden = hidden.includes(id);
        return (
          <li key={id} class="arrange-row" data-hidden={isHidden && list !== 'favorites'}>
            <Icon name={icon} />
            <a class="row-text" href={href}>
              <bdi class="row-title">{name}</bdi>
              {note === undefined ? null : <span class="row-note">{note}</span>}
            </a>
            <button
              type="button"
              aria-label={arrangeWords.up(name)}
              disabled={index === 0}
              onClick={() => move(id, -1)}
            >
              <Icon name="up" size={20} />
            </button>
            <button
              type="button"
              aria-label={arrangeWords.down(name)}
              disabled={index === items.length - 1}
              onClick={() => move(id, 1)}
            >
              <Icon name="down" size={20} />
            </button>
            {list === 'favorites' ? (
              <button
                type="button"
                aria-label={arrangeWords.unstar(name)}
                onClick={() => void save(({ favorites }) => ({ favorites: toggled(favorites, id, false) }))}
              >
                <Icon name="close" size={20} />
              </button>
            ) : (
              <button
                type="button"
                aria-pressed={isHidden}
                aria-label={arrangeWords.hide(name)}
                onClick={() => void save((now) => ({ hidden: toggled(now.hidden, id, !isHidden) }))}
              >
                <Icon name={isHidden ? 'eyeOff' : 'eye'} size={20} />
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
