import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { IconName } from '#web/parts/icon-lines.ts';
import { moved, toggled } from '#web/home/home-view.ts';
import type { HomeView } from '#web/client/api.ts';
import { a } from '#web/strings/home/arrange-strings.ts';

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
  const view = own.view.value;
  const ids = items.map(({ id }) => id);
  const hidden = view?.hidden ?? [];
  const save = async (change: Partial<HomeView>): Promise<void> => {
    const words = await own.save(change);
    if (words !== undefined) messages.show(words, 'danger');
  };
  const move = (id: string, by: -1 | 1): void => {
    // Of the devices only those of this room are here; the others keep their places.
    const others = (view?.[list] ?? []).filter((one) => !ids.includes(one));
    void save({ [list]: [...others, ...moved(ids, id, by)] });
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
            <button type="button" aria-label={a.up(name)} disabled={index === 0} onClick={() => move(id, -1)}>
              <Icon name="up" size={20} />
            </button>
            <button
              type="button"
              aria-label={a.down(name)}
              disabled={index === items.length - 1}
              onClick={() => move(id, 1)}
            >
              <Icon name="down" size={20} />
            </button>
            {list === 'favorites' ? (
              <button
                type="button"
                aria-label={a.unstar(name)}
                onClick={() => void save({ favorites: toggled(view?.favorites ?? [], id) })}
              >
                <Icon name="close" size={20} />
              </button>
            ) : (
              <button
                type="button"
                aria-pressed={isHidden}
                aria-label={a.hide(name)}
                onClick={() => void save({ hidden: toggled(hidden, id) })}
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
