import type { ComponentChildren } from 'preact';
import type { Feature } from '#web/client/api.ts';
import { cssFrom, hueOf, type Rgb, rgbFromHue } from '#web/controls/colors.ts';
import { FeatureControl } from '#web/controls/feature-control.tsx';
import { shownOf } from '#web/controls/use-feature.ts';
import { useHub } from '#web/hub.ts';
import { Ago } from '#web/parts/ago.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { refusalOf } from '#web/state/account/rights.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { enumWords, valueWords } from '#web/strings/value-words.ts';

type Props = {
  readonly entry: DeviceEntry;
  readonly feature: Feature;
  /** Above its control. */
  readonly children?: ComponentChildren;
};

/** One feature: its value, since when, how far it can be trusted, and its control. */
export function FeatureRow({ entry, feature, children }: Props) {
  const { account } = useHub();
  const { value, trust } = shownOf(entry, feature);
  const hue = feature.capability === 'color' ? hueOf(value) : undefined;
  const press = entry.presses.value.get(feature.key);
  // If the whole device is refused, the page says so once, above.
  const device = entry.device.value;
  const refusal = refusalOf(account, device) === undefined ? refusalOf(account, device, feature) : undefined;
  return (
    <li class="feature" title={feature.description ?? undefined}>
      <div class="feature-head">
        <span class="feature-name">
          <bdi>{feature.component === 'main' ? feature.name : `${feature.name} (${feature.component})`}</bdi>
          {feature.kind === 'state' && feature.readable ? (
            <Trust feature={feature} trust={trust} isTimed={!feature.writable} />
          ) : null}
          {press === undefined ? null : (
            <span class="trust">
              <Ago at={press.at} />
            </span>
          )}
        </span>
        {feature.kind === 'event' ? (
          <span class="feature-value">
            {press === undefined
              ? pageWords.state.noPress
              : (pageWords.presses[press.action] ?? enumWords(press.action))}
          </span>
        ) : null}
        {feature.kind === 'state' && feature.readable && !saysItself(feature) ? (
          <span class="feature-value" data-trust={trust}>
            {hue === undefined ? (
              valueWords(feature, value)
            ) : (
              <Swatch rgb={rgbFromHue(hue)} words={pageWords.control.hueWords(hue.hue, hue.saturation)} />
            )}
          </span>
        ) : null}
      </div>
      {children}
      {feature.writable ? <FeatureControl entry={entry} feature={feature} /> : null}
      {refusal === undefined ? null : <p class="refusal">{refusal}</p>}
    </li>
  );
}

/** Its control shows the value, which is then not written beside it again. */
function saysItself({ writable, capability, value_type: type, options, unit, min }: Feature): boolean {
  if (!writable || capability === 'locked' || capability === 'cover_state') return false;
  const isSlider = type === 'number' && unit === 'percent' && (min ?? 0) === 0;
  return (
    type === 'boolean' || options !== null || (type === 'number' && !isSlider && capability !== 'color_temperature')
  );
}

function Swatch({ rgb, words }: { readonly rgb: Rgb; readonly words: string }) {
  return (
    <>
      <span class="swatch" style={{ backgroundColor: cssFrom(rgb) }} />
      <span class="unseen">{words}</span>
    </>
  );
}

type TrustProps = { readonly feature: Feature; readonly trust: string; readonly isTimed?: boolean };

/**
 * How far a value can be trusted; with `isTimed` since when, if the device has confirmed it. The head of the page says so
 * once for all controls.
 */
export function Trust({ feature, trust, isTimed = false }: TrustProps) {
  const { observed_at, changed_at } = feature;
  const lastKnown = (
    <>
      {pageWords.trust.lastKnown}
      {observed_at === null ? null : [', ', <Ago key="at" at={observed_at} />]}
    </>
  );
  const words: Readonly<Record<string, ComponentChildren>> = {
    confirmed:
      changed_at === null || !isTimed ? null : <>{[pageWords.trust.changed, ' ', <Ago key="at" at={changed_at} />]}</>,
    assumed: pageWords.trust.assumed,
    sending: pageWords.trust.sending,
    waiting: pageWords.trust.waiting,
    restored: lastKnown,
    stale: lastKnown,
    none: pageWords.trust.none,
  };
  // The line is always there, so that nothing moves when words come.
  return <span class="trust">{words[trust] ?? '\u00a0'}</span>;
}
