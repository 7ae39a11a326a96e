import { Worker } from '@temporalio/worker';

/**
 * Returns a class of workers that share one workflow thread. Each thread has the SDK and the bundle
 * in memory, some 30 MB, and each worker otherwise starts one.
 */
export function workersOfOneThread(): typeof Worker {
  let thread: ReturnType<(typeof Worker)['createWorkflowCreator']> | null = null;
  let users = 0;
  return class extends Worker {
    protected static override async createWorkflowCreator(
      ...options: Parameters<(typeof Worker)['createWorkflowCreator']>
    ) {
      users += 1;
      thread ??= super.createWorkflowCreator(...options);
      const shared = await thread;
      return {
        createWorkflow: shared.createWorkflow.bind(shared),
        // The last worker that stops ends the thread.
        destroy: async () => {
          users -= 1;
          if (users === 0) await shared.destroy();
        },
      };
    }
  };
}
