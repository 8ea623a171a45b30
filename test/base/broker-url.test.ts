import { expect, test } from 'vitest';
import { placeOfBroker, readBrokerUrl } from '#base/broker-url.ts';

test.each([
  ['mqtt://broker', 'broker', 1883, false, 'mqtt://broker', 'broker:1883'],
  ['mqtt://10.0.0.2:1884/', '10.0.0.2', 1884, false, 'mqtt://10.0.0.2:1884', '10.0.0.2:1884'],
  ['mqtts://broker.lan', 'broker.lan', 8883, true, 'mqtts://broker.lan', 'broker.lan:8883'],
  ['mqtt://[fd00::2]:1884', 'fd00::2', 1884, false, 'mqtt://[fd00::2]:1884', '[fd00::2]:1884'],
])('%s is read', (text, host, port, isTls, url, place) => {
  const address = readBrokerUrl(text);
  expect(address).toEqual({ host, port, isTls, url });
  expect(address && placeOfBroker(address)).toBe(place);
});

test.each([
  '',
  'broker',
  'http://broker',
  'mqtt://',
  'mqtt://user@broker',
  'mqtt://user:secret@broker',
  'mqtt://broker/topic',
  'mqtt://broker?x=1',
  'mqtt://broker#x',
  'mqtt://broker:70000',
])('%j is no URL of a broker', (text) => {
  expect(readBrokerUrl(text)).toBeUndefined();
});
