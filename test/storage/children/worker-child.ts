import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { isStorageWorker, runStorageWorker } from '#storage/storage-worker.ts';

// What the program's main does where it finds itself in a worker.
if (!isMainThread && parentPort !== null && isStorageWorker(workerData)) await runStorageWorker(parentPort, workerData);
