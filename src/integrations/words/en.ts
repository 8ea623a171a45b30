/** Several kinds say these in English; each takes them into words of its own. */
export const frame = {
  broker: { label: 'MQTT broker' },
  exposeHint:
    'Devices in these rooms, and these devices, appear there. Doors and locks only if you pick them one by one',
  token: {
    label: 'API token for commands from there',
    hint: 'What is offered can be used from there as far as this token may use it; without one it is only shown',
  },
  udpPort: {
    label: 'UDP port',
    hint: 'Another one needs SocketBindAllow=udp: with its number in the unit of the service',
  },
  steps: { asking_host: 'Asking what is at this address …' },
  faults: { outside: 'is not an address in the home network', silent: 'does not answer' },
} as const;
