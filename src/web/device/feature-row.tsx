import type { ComponentChildren } from 'preact';
import type { Feature } from '#web/client/home.ts';
import { cssFrom, hueOf, type Rgb, rgbFromHue } from '#web/controls/colors.ts';
import { FeatureControl } from '#web/controls/feature-control.tsx';
import { shownOf } from '#web/controls/use-feature.ts';
import { Ago } from '#web/parts/ago.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { t } from '#web/strings/strings.ts';
import { valueWords } from '#web/strings/value-words.ts';

type Props = { readonly entry: DeviceEntry; readonly feature: Feature };

/** One feature with its value, how far that can be trusted, and what changes it. */
export function FeatureRow({ entry, feature }: Props) {
  const { value, trust } = shownOf(entry, feature);
  const hue = feature.capability === 'color' ? hueOf(value) : undefined;
  if (feature.kind === 'action') {
    return (
      <li class="feature">
        <FeatureControl entry={entry} feature={feature} />
      </li>
    );
  }
  return (
    <li class="feature">
      <div class="feature-head">
        <span class="feature-name">
          <bdi>{feature.component === 'main' ? feature.name : `${feature.name} (${feature.component})`}</bdi>
          <TrustWords feature={feature} trust={trust} />
        </span>
        {feature.kind === 'state' && feature.readable ? (
          <output class="feature-value" data-trust={trust}>
            {hue === undefined ? (
              valueWords(feature, value)
            ) : (
              <Swatch rgb={rgbFromHue(hue)} words={t.control.hueWords(hue.hue, hue.saturation)} />
            )}
          </output>
        ) : null}
      </div>
      {feature.writable ? <FeatureControl entry={entry} feature={feature} /> : null}
    </li>
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

/** Nothing where the device itself has said it: that is as it should be. */
function TrustWords({ feature, trust }: { readonly feature: Feature; readonly trust: string }) {
  if (feature.kind !== 'state' || !feature.readable) return null;
  const words: Readonly<Record<string, ComponentChildren>> = {
    assumed: t.trust.assumed,
    waiting: t.trust.waiting,
    restored: t.trust.restored,
    none: t.trust.none,
    stale: (
      <>
        {t.trust.staleFrom} {feature.observed_at === null ? t.none : <Ago at={feature.observed_at} />}
      </>
    ),
  };
  const own = words[trust];
  return own === undefined ? null : <span class="trust">{own}</span>;
}
