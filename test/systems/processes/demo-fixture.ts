import type { Environment } from '../../../domain/accounts/credentials.ts';
import { freePort } from '../../support/free-port.ts';
import { processesOf } from '../../support/gateway/gateway-processes.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';
import { seedOperator } from './callers.ts';

/** A gateway with a worker, whose API has the limits and the operator of `npm start`. */
export const demoTest = workflowTest
  /** The one receiver on this machine that the guardrail allows. */
  .extend('receiverOrigin', { scope: 'file' }, async () => `http://127.0.0.1:${await freePort()}`)
  .extend('environment', { scope: 'file' }, (): Environment => 'Production')
  .extend('settings', { scope: 'file' }, ({ receiverOrigin, environment }) => ({
    GATEWAY_ENVIRONMENT: environment,
    WEBHOOK_ALLOWED_ORIGINS: receiverOrigin,
    WEBHOOK_RETRY_DELAYS_MS: '200,300000',
  }))
  .extend('apiUrl', { scope: 'file' }, async ({ gateway, settings }, { onCleanup }) => {
    const processes = processesOf(gateway);
    onCleanup(processes.end);
    await seedOperator(gateway.sql);
    // On a busy machine, a decision can take longer than the default limit.
    return (await processes.startApi({ ...settings, DECISION_TIMEOUT_MS: '60000' })).url;
  });
