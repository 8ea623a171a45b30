import { accessSync, constants } from 'node:fs';
import { connect } from 'node:net';
import { type BrokerAddress, readBrokerUrl } from '#base/broker-url.ts';
import { codeOf, errnoOf } from '#base/errno.ts';
import type { MqttConfig } from '#config/config.ts';
import type { Finding } from './finding.ts';

const WAIT_MS = 3000;
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the machine is there, the broker is not',
  EHOSTUNREACH: 'the machine does not answer',
  ENETUNREACH: 'there is no way to its network',
  ENOTFOUND: 'there is no machine of this name',
  EAI_AGAIN: 'the name could not be looked up',
};

/** Whether the MQTT broker's address accepts connections, and whether the password can be read. */
export async function checkBroker({ url, passwordFile }: MqttConfig): Promise<Finding> {
  const subject = 'MQTT broker';
  if (url === null) return { level: 'ok', subject, text: 'off' };
  if (passwordFile !== null) {
    try {
      accessSync(passwordFile, constants.R_OK);
    } catch (error) {
      const text = `the password file ${passwordFile} cannot be read (${errnoOf(error)})`;
      return { level: 'fail', subject, text, advice: 'correct mqtt.password_file or the rights of the file' };
    }
  }
  const address = readBrokerUrl(url);
  if (address === undefined) throw new Error(`not the URL of a broker: ${url}`);
  const problem = await tryConnect(address);
  if (problem === undefined) return { level: 'ok', subject, text: `${url} accepts connections` };
  const advice = 'start the broker or correct mqtt.url; without Zigbee2MQTT set mqtt.url to off';
  const reason = REASONS[problem] === undefined ? problem : `${REASONS[problem]}, ${problem}`;
  return { level: 'warn', subject, text: `${url} cannot be reached (${reason})`, advice };
}

/** The reason why not, or `undefined` when it connects. */
async function tryConnect({ host, port }: BrokerAddress): Promise<string | undefined> {
  const socket = connect({ host, port, timeout: WAIT_MS });
  const problem = await new Promise<string | undefined>((resolve) => {
    socket.once('connect', () => resolve(undefined));
    socket.once('timeout', () => resolve(`no answer within ${WAIT_MS / 1000} s`));
    // For a name with several addresses it is an AggregateError, which has a code but neither `syscall` nor message.
    socket.once('error', (error) => resolve(codeOf(error) ?? error.message));
  });
  socket.destroy();
  return problem;
}
