import { parentPort, workerData } from 'node:worker_threads';
import { isStorageWorker, runStorageWorker } from './storage-worker.ts';

declare const HEARTHD_VERSION: string;

// The entry of a separate bundle, `dist/storage-thread.mjs`: a thread compiles the whole file that it runs, and the program
// has five times as much code (11 MB of memory) as the storage needs.
if (parentPort === null || !isStorageWorker(workerData))
  throw new Error('this file is a thread of hearthd, not a program');
await runStorageWorker(parentPort, workerData, HEARTHD_VERSION);
