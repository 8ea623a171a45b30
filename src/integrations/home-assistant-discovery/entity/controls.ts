import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { floatText } from '#integrations/home-assistant-discovery/template/text.ts';
import { syntaxFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { numberIn, textIn, textsIn } from '#integrations/home-assistant-discovery/message/config.ts';
import { categoryOf, controlDetails, listening, publicationTo, type PartMaker } from './building.ts';
import { isNoState, numberReport, refused, type Report, UNKNOWN } from './entity.ts';
import { patternCheck } from './field.ts';
import { readingOf, writingOf } from './incoming.ts';
import { unitFromSpelling } from '#core/feature/units.ts';

export const switchEntity: PartMaker = (config, place, deps) => {
  const [on, off] = [textIn(config, 'payload_on') ?? 'ON', textIn(config, 'payload_off') ?? 'OFF'];
  const [stateOn, stateOff] = [textIn(config, 'state_on') ?? on, textIn(config, 'state_off') ?? off];
  const read = readingOf(config, 'value_template', deps);
  const write = writingOf(config, 'command_template', deps);
  const publication = publicationTo(config);
  const isSetting = categoryOf(config) === 'config';
  const feature = isSetting
    ? ownFeature(place.name, place.component, { valueType: 'boolean', ...controlDetails(config, place) })
    : wordFeature('on', place.component, controlDetails(config, place));
  const report = (text: string | undefined): Report =>
    text === stateOn
      ? { value: true }
      : text === stateOff
        ? { value: false }
        : isNoState(text ?? '')
          ? { value: null }
          : refused(text);
  return {
    feature,
    listens: listening(config, 'state_topic', (message) => report(read(message))),
    publish: (value) => {
      if (typeof value !== 'boolean') return undefined;
      const payload = value ? on : off;
      return publication(write(payload, payload));
    },
  };
};

export const button: PartMaker = (config, place, deps) => {
  const press = textIn(config, 'payload_press') ?? 'PRESS';
  const write = writingOf(config, 'command_template', deps);
  const publication = publicationTo(config);
  return {
    feature: wordFeature('press', place.component, { ...place.shown, writable: true, category: categoryOf(config) }),
    listens: new Map(),
    publish: () => publication(write(press, press)),
  };
};

export const numberEntity: PartMaker = (config, place, deps) => {
  const [min, max, step] = [
    numberIn(config, 'min') ?? 1,
    numberIn(config, 'max') ?? 100,
    numberIn(config, 'step') ?? 1,
  ];
  if (min >= max) throw syntaxFault('min is not below max');
  const read = readingOf(config, 'value_template', deps);
  const write = writingOf(config, 'command_template', deps);
  const publication = publicationTo(config);
  const reset = textIn(config, 'payload_reset') ?? 'None';
  const report = (text: string | undefined): Report => {
    if (text === reset || isNoState(text ?? '')) return { value: null };
    return numberReport(text, (number) => (number >= min && number <= max ? number : undefined));
  };
  return {
    feature: ownFeature(place.name, place.component, {
      valueType: 'number',
      ...controlDetails(config, place),
      unit: unitFromSpelling(textIn(config, 'unit_of_measurement') ?? ''),
      min,
      max,
      step,
    }),
    listens: listening(config, 'state_topic', (message) => report(read(message))),
    publish: (value) => {
      if (typeof value !== 'number' || !(value >= min && value <= max)) return undefined;
      // A whole number is an int there, so 30 is sent as `30` and not as `30.0`.
      return Number.isInteger(value)
        ? publication(write(BigInt(value), String(BigInt(value))))
        : publication(write(value, floatText(value)));
    },
  };
};

export const select: PartMaker = (config, place, deps) => {
  const options = textsIn(config, 'options');
  if (options === undefined || options.length === 0) throw syntaxFault('the options are missing');
  const read = readingOf(config, 'value_template', deps);
  const write = writingOf(config, 'command_template', deps);
  const publication = publicationTo(config);
  const report = (text: string | undefined): Report =>
    text !== undefined && options.includes(text)
      ? { value: text }
      : text?.toLowerCase() === UNKNOWN.toLowerCase() || isNoState(text ?? '')
        ? { value: null }
        : refused(text);
  return {
    feature: ownFeature(place.name, place.component, { valueType: 'enum', ...controlDetails(config, place), options }),
    listens: listening(config, 'state_topic', (message) => report(read(message))),
    publish: (value) =>
      typeof value === 'string' && options.includes(value) ? publication(write(value, value)) : undefined,
  };
};

export const textEntity: PartMaker = (config, place, deps) => {
  const [min, max] = [numberIn(config, 'min') ?? 0, numberIn(config, 'max') ?? 255];
  const pattern = textIn(config, 'pattern');
  const matches = pattern === undefined ? () => true : patternCheck(pattern, deps);
  const read = readingOf(config, 'value_template', deps);
  const write = writingOf(config, 'command_template', deps);
  const publication = publicationTo(config);
  const fits = (text: string): boolean => text.length >= min && text.length <= max && matches(text);
  const heard = listening(config, 'state_topic', (message) => {
    const text = read(message);
    return text !== undefined && fits(text) ? { value: text } : undefined;
  });
  // The hub keeps no passwords, and shows none.
  const isSecret = textIn(config, 'mode') === 'password';
  const details = controlDetails(config, place);
  return {
    feature: ownFeature(place.name, place.component, {
      valueType: 'string',
      ...details,
      readable: details.readable === true && !isSecret,
    }),
    listens: isSecret ? new Map() : heard,
    publish: (value) => (typeof value === 'string' && fits(value) ? publication(write(value, value)) : undefined),
  };
};
