// Prints what Redocly (recommended) and Spectral (oas) find in an OpenAPI document, as JSON.
import { readFileSync } from 'node:fs';
import { createConfig, lint } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

const [, , path = ''] = process.argv;
const problems = await lint({ ref: path, config: await createConfig({ extends: ['recommended'] }) });
const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [rulesets.oas] });
const results = await spectral.run(JSON.parse(readFileSync(path, 'utf8')));
const ERROR = 0;
const findings = [
  ...problems.map(({ ruleId, severity, location, message }) => ({
    rule: `redocly ${ruleId}`,
    at: `${location[0]?.pointer} ${message}`,
    isError: severity === 'error',
  })),
  ...results.map(({ code, severity, path: at, message }) => ({
    rule: `spectral ${code}`,
    at: `${at.join('/')} ${message}`,
    isError: severity === ERROR,
  })),
];
console.log(JSON.stringify(findings));
