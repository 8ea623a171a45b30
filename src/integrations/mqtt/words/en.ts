/** This kind says these in English; the other languages have words for the same. */
export const words = {
  kind: {
    name: 'MQTT broker',
    about: 'A broker such as Mosquitto, through which other integrations reach their devices.',
    help: [
      'Install an MQTT broker on this computer or another one in the home. Mosquitto is small and comes with Debian: sudo apt install mosquitto',
      'Have the devices or programs that the hub should reach, such as Zigbee2MQTT, connect to that broker.',
      'Enter the address of that broker here.',
    ],
  },
  settings: {
    address: { label: 'Address of the broker', hint: 'mqtt://host:port, or mqtts://host:port with TLS' },
    user: { label: 'User name' },
    password: { label: 'Password' },
  },
} as const;
