/** Why a broker cannot be used, by the code of the failure. */
export const brokerTexts = {
  WRONG_QOS: 'The MQTT broker at {place} sends messages at a quality of service that the hub did not request',
  CONNECTION_REFUSED:
    'Nothing answers at {place}: start the MQTT broker there, or enter another address in the settings',
  UNKNOWN_HOST: 'The name in {place} has no address',
  ADDRESS_REFUSED: '{place} is the hub itself: only an owner can have the hub connect there',
  UNREACHABLE: 'The network has no way to {place}',
  TIMEOUT: 'The MQTT broker at {place} does not answer',
  NOT_TLS: 'What answers at {place} does not speak TLS: use mqtt:// for a connection without TLS',
  CERTIFICATE_REFUSED: 'The certificate of the MQTT broker at {place} cannot be trusted',
  NOT_MQTT: 'What answers at {place} does not speak correct MQTT',
  CONNECTION_LOST: 'The MQTT broker at {place} closed the connection',
  WRONG_PASSWORD: 'The MQTT broker at {place} refuses this user and password',
  BROKER_REFUSED: 'The MQTT broker at {place} refuses the connection (reason {reason})',
} as const;
