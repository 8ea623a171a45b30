import { hubZone } from '#web/strings/hub-zone.ts';

/** Zones whose country has another currency than most of their part of the world. */
const CURRENCIES: Readonly<Record<string, string>> = {
  ALL: 'Europe/Tirane',
  ARS: 'America/Argentina',
  AUD: 'Australia',
  BAM: 'Europe/Sarajevo',
  BRL: 'America/Sao_Paulo America/Bahia America/Fortaleza America/Manaus America/Recife America/Belem',
  BYN: 'Europe/Minsk',
  CAD: 'America/Toronto America/Vancouver America/Edmonton America/Winnipeg America/Halifax America/Regina America/St_Johns America/Montreal',
  CHF: 'Europe/Zurich Europe/Vaduz Europe/Busingen',
  CLP: 'America/Santiago',
  CNY: 'Asia/Shanghai Asia/Urumqi',
  COP: 'America/Bogota',
  CZK: 'Europe/Prague',
  DKK: 'Europe/Copenhagen Atlantic/Faroe',
  EUR: 'Europe Atlantic/Canary Atlantic/Madeira Atlantic/Azores Africa/Ceuta Asia/Nicosia Asia/Famagusta Indian/Reunion America/Martinique America/Guadeloupe',
  GBP: 'Europe/London Europe/Belfast Europe/Jersey Europe/Guernsey Europe/Isle_of_Man Europe/Gibraltar',
  HUF: 'Europe/Budapest',
  INR: 'Asia/Kolkata Asia/Calcutta',
  ISK: 'Atlantic/Reykjavik',
  JPY: 'Asia/Tokyo',
  KRW: 'Asia/Seoul',
  MDL: 'Europe/Chisinau',
  MKD: 'Europe/Skopje',
  MXN: 'America/Mexico_City America/Monterrey America/Cancun America/Tijuana America/Merida',
  NOK: 'Europe/Oslo Arctic/Longyearbyen Atlantic/Jan_Mayen',
  NZD: 'Pacific/Auckland Pacific/Chatham',
  PLN: 'Europe/Warsaw',
  RON: 'Europe/Bucharest',
  RSD: 'Europe/Belgrade',
  RUB: 'Europe/Moscow Europe/Kaliningrad Europe/Samara Europe/Volgograd Europe/Saratov Europe/Kirov Europe/Astrakhan Europe/Ulyanovsk Asia/Novosibirsk Asia/Yekaterinburg',
  SEK: 'Europe/Stockholm',
  SGD: 'Asia/Singapore',
  TRY: 'Europe/Istanbul Asia/Istanbul',
  UAH: 'Europe/Kyiv Europe/Kiev Europe/Uzhgorod Europe/Zaporozhye Europe/Simferopol',
  USD: 'America/New_York America/Chicago America/Denver America/Los_Angeles America/Phoenix America/Anchorage America/Detroit America/Boise America/Indiana America/Kentucky America/North_Dakota America/Juneau Pacific/Honolulu US America/Puerto_Rico',
  ZAR: 'Africa/Johannesburg',
};

/** The currency of the country where the clocks of the home are; empty where its zone does not tell. */
export function currencyOf(zone = hubZone() ?? ''): string {
  const find = (name: string): string | undefined =>
    Object.entries(CURRENCIES).find(([, zones]) => zones.split(' ').includes(name))?.[0];
  // A part of the world, or a country with many zones, stands for all that are not named.
  return find(zone) ?? find(zone.split('/').slice(0, 2).join('/')) ?? find(zone.split('/')[0] ?? '') ?? '';
}
