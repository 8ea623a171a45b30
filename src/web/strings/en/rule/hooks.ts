export const ruleHooks = {
  title: 'Called by other programs',
  text: 'A program in your network starts this automation when it calls this address with a secret.',
  address: 'Address',
  addressOf: (trigger: string) => `Address (${trigger})`,
  /** `lapsed` is for a secret that is still there, but opens nothing. */
  none: 'It has no secret yet, so only people and API tokens that may run automations can call it.',
  valid: (at: string, name: string) => `It has a secret, which ${name} made ${at}.`,
  lapsed: (name: string) =>
    `Its secret is worth nothing any longer: ${name}, who made it, may not change this automation now.`,
  /** For those who may not. */
  secretFor: 'Who may change this automation can make a secret for it.',
  make: 'Make a secret',
  renew: 'Make a new secret',
  renewQuestion: 'Make a new secret?',
  renewText: 'The program that calls this address needs the new one: the present one ends at once.',
  takeBack: 'Take the secret back',
  takeBackQuestion: 'Take the secret back?',
  takeBackText: 'The program that has it can no longer start this automation.',
  tookBack: 'The secret is worth nothing any longer.',
  secret: 'Secret',
  once: 'Copy it now: the hub does not keep it and shows it only once.',
  /** A line to try in a terminal. */
  call: (address: string, secret: string) => `curl -X POST -H "Hearthd-Hook: ${secret}" ${address}`,
};
