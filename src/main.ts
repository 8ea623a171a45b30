declare const HEARTHD_VERSION: string;

process.stdout.write(`hearthd ${HEARTHD_VERSION}\n`);
