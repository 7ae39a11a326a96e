import * as workflow from '@temporalio/workflow';

/**
 * Proxies local activities that run one Postgres transaction each. Temporal retries them until
 * Postgres answers; a refusal by a rule is not retryable.
 */
export const localActivities = <TActivities>(summary: string) =>
  workflow.proxyLocalActivities<TActivities>({
    startToCloseTimeout: '10 seconds',
    retry: { initialInterval: '100 milliseconds', maximumInterval: '10 seconds' },
    summary,
  });
