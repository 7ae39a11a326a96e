import { TestWorkflowEnvironment } from '@temporalio/testing';

/**
 * Run as a process of its own, with a folder: has the Temporal SDK download its development server into that folder.
 * The SDK offers the download only together with a server, which is stopped at once.
 */
const downloadDir = process.argv[2];
if (downloadDir === undefined) throw new Error('usage: temporal-sdk-download.ts <folder>');
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, ttl: '3650 days' } },
});
await environment.teardown();
