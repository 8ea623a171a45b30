import { expect, test } from 'vitest';
import { placeOfBroker, readBrokerUrl } from '#base/broker-url.ts';

test.each([
  ['mqtt://broker', { host: 'broker', port: 1883, isTls: false, url: 'mqtt://broker' }, 'broker:1883'],
  [
    'mqtt://10.0.0.2:1884/',
    { host: '10.0.0.2', port: 1884, isTls: false, url: 'mqtt://10.0.0.2:1884' },
    '10.0.0.2:1884',
  ],
  ['mqtts://broker.lan', { host: 'broker.lan', port: 8883, isTls: true, url: 'mqtts://broker.lan' }, 'broker.lan:8883'],
  [
    'mqtt://[fd00::2]:1884',
    { host: 'fd00::2', port: 1884, isTls: false, url: 'mqtt://[fd00::2]:1884' },
    '[fd00::2]:1884',
  ],
])('%s is read', (text, address, place) => {
  expect(readBrokerUrl(text)).toEqual(address);
  expect(placeOfBroker(address)).toBe(place);
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
