import { workflowTest } from '../../support/gateway/workflow-test.ts';
import { newClockVendor } from './clock-fixture.ts';

/** Gives a test a vendor of a sandbox, whose deliveries have two retries. */
export const clockTest = workflowTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    GATEWAY_ENVIRONMENT: 'Sandbox',
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
    WEBHOOK_RETRY_DELAYS_MS: '60000,3600000',
  }))
  .extend('vendor', ({ gateway, receiver }) =>
    newClockVendor(gateway.sql, gateway.config.SECRETS_KEY, receiver.url),
  );
