import { createVendorQuotas } from '../../../api/http/quotas/vendor-quotas.ts';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { connect } from '../../../db/core/client.ts';
import type { Environment } from '../../../domain/accounts/credentials.ts';
import { checkDestination } from '../../../guardrail/check-destination.ts';
import { createSealer } from '../../../security/sealer.ts';
import { createTestFires } from '../../../api/webhooks/test-fires.ts';
import { gatewayOver } from '../../support/api/api.ts';
import { freePort } from '../../support/free-port.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';
import { seedOperator } from './callers.ts';

/** What the API of the demo needs beside the defaults of the tests, with the product's limits. */
const demoDependencies = ({ config, sql, decisions }: TestGateway) => {
  const policy = {
    allowedPorts: config.WEBHOOK_ALLOWED_PORTS,
    allowedOrigins: config.WEBHOOK_ALLOWED_ORIGINS,
  };
  return {
    environment: config.GATEWAY_ENVIRONMENT,
    inspectionTimes: {
      startMs: config.INSPECTION_START_MS,
      windowMs: config.INSPECTION_WINDOW_MS,
      closingMs: config.INSPECTION_CLOSING_MS,
    },
    vendorQuotas: createVendorQuotas({ callsMax: 3, listsMax: 1 }),
    sealer: createSealer(config.SECRETS_KEY),
    decisions,
    testFires: createTestFires(sql, config.WEBHOOK_TIMEOUT_MS),
    checkDestination: (url: string) => checkDestination(url, { policy, timeoutMs: 2000 }),
    callsPerVendor: createRateLimit(config.RATE_LIMIT_PER_MINUTE),
    bulkItemsPerVendor: createRateLimit(config.RATE_LIMIT_BULK_ITEMS_PER_MINUTE),
    jobItemsPerVendor: createRateLimit(config.RATE_LIMIT_JOB_ITEMS_PER_MINUTE),
    openJobsMax: config.JOBS_OPEN_MAX,
    manualDeliveriesPerMinute: config.RATE_LIMIT_MANUAL_DELIVERY_PER_MINUTE,
    callsPerOperator: createRateLimit(config.RATE_LIMIT_OPERATOR_PER_MINUTE),
    pushesPerVendor: createRateLimit(config.RATE_LIMIT_PUSH_PER_MINUTE),
    tokenCallsPerAddress: createRateLimit(config.RATE_LIMIT_TOKEN_ADDRESS_PER_MINUTE),
    temporalUi: { baseUrl: config.TEMPORAL_UI_URL, namespace: config.TEMPORAL_NAMESPACE },
  };
};

/** A gateway with a worker, with the API and the operator of `npm start`. */
export const demoTest = workflowTest
  /** The one receiver on this machine that the guardrail allows. */
  .extend('receiverOrigin', { scope: 'file' }, async () => `http://127.0.0.1:${await freePort()}`)
  .extend('environment', { scope: 'file' }, (): Environment => 'Production')
  .extend('settings', { scope: 'file' }, ({ receiverOrigin, environment }) => ({
    GATEWAY_ENVIRONMENT: environment,
    WEBHOOK_ALLOWED_ORIGINS: receiverOrigin,
    WEBHOOK_RETRY_DELAYS_MS: '200,300000',
  }))
  .extend('apiUrl', { scope: 'file' }, async ({ gateway }, { onCleanup }) => {
    const sql = connect(gateway.apiUrl, { max: 10, name: 'demo test' });
    const { app } = await gatewayOver(sql, demoDependencies(gateway));
    onCleanup(async () => {
      await app.close();
      await sql.end({ timeout: 5 });
    });
    await seedOperator(gateway.sql);
    return app.listen({ host: '127.0.0.1', port: 0 });
  });
