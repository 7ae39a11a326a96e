import { TestWorkflowEnvironment } from '@temporalio/testing';

/**
 * A process that lets the Temporal SDK download its development server into a folder, its argument.
 * The SDK downloads it only to start it, so this stops the server at once.
 */
const downloadDir = process.argv[2];
if (downloadDir === undefined) throw new Error('usage: temporal-download.ts FOLDER');
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, ttl: '3650 days' } },
});
await environment.teardown();
