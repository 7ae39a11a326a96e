import getPort from 'get-port';
import { pino } from 'pino';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../api/app.ts';
import { createVendorShares } from '../../api/http/vendor-shares.ts';
import { createRateLimit } from '../../api/auth/rate-limits.ts';
import { createTokens } from '../../api/auth/tokens.ts';
import { connect, type Sql } from '../../db/core/client.ts';
import { upsertOperator } from '../../db/accounts/operators.ts';
import { checkDestination } from '../../guardrail/check-destination.ts';
import { startReceiver, type Receiver } from '../../demo/receiver.ts';
import { runDemo } from '../../demo/run-demo.ts';
import { fixedRing } from '../../security/key-ring.ts';
import { createSealer } from '../../security/sealer.ts';
import { sha256 } from '../../security/secrets.ts';
import { createTestFires } from '../../api/webhooks/test-fires.ts';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import { v7 as uuidv7 } from 'uuid';

let gateway: TestGateway;
let receiver: Receiver;
let receiverOrigin: string;
let app: FastifyInstance;
let apiSql: Sql;
let apiUrl: string;
const operator = { operatorId: 'demo-operator', operatorSecret: 'a-secret-of-the-demo' };

beforeAll(async () => {
  const port = await getPort({ host: '127.0.0.1' });
  receiverOrigin = `http://127.0.0.1:${port}`;
  receiver = await startReceiver(receiverOrigin);
  gateway = await createTestGateway({
    WEBHOOK_ALLOWED_ORIGINS: receiverOrigin,
    WEBHOOK_RETRY_DELAYS_MS: '200,300000',
  });
  const { config, sql, client, decisions } = gateway;
  const policy = {
    allowedPorts: config.WEBHOOK_ALLOWED_PORTS,
    allowedOrigins: config.WEBHOOK_ALLOWED_ORIGINS,
  };
  const ring = fixedRing({ signingKey: config.JWT_SIGNING_KEY });
  apiSql = connect(gateway.apiUrl, { max: 10, name: 'demo test' });
  app = await buildApp(
    {
      sql: apiSql,
      lists: apiSql,
      probe: apiSql,
      vendorShares: createVendorShares({ callsMax: 3, listsMax: 1 }),
      tokens: createTokens({ issuer: config.JWT_ISSUER, ring: () => ring }),
      sealer: createSealer(config.SECRETS_KEY),
      decisions,
      testFires: createTestFires(client, {
        taskQueue: config.TEMPORAL_TASK_QUEUE,
        attemptTimeoutMs: config.WEBHOOK_TIMEOUT_MS,
      }),
      checkDestination: (url) => checkDestination(url, { policy, timeoutMs: 2000 }),
      callsPerVendor: createRateLimit(config.RATE_LIMIT_PER_MINUTE),
      bulkItemsPerVendor: createRateLimit(config.RATE_LIMIT_BULK_ITEMS_PER_MINUTE),
      manualDeliveriesPerMinute: config.RATE_LIMIT_MANUAL_DELIVERY_PER_MINUTE,
      callsPerOperator: createRateLimit(config.RATE_LIMIT_OPERATOR_PER_MINUTE),
      pushesPerVendor: createRateLimit(config.RATE_LIMIT_PUSH_PER_MINUTE),
      tokenCallsPerAddress: createRateLimit(config.RATE_LIMIT_TOKEN_ADDRESS_PER_MINUTE),
      decisionTimeoutMs: config.DECISION_TIMEOUT_MS,
      vatRateBasisPoints: config.VAT_RATE,
      inspectionTimes: {
        startMs: config.INSPECTION_START_MS,
        windowMs: config.INSPECTION_WINDOW_MS,
      },
      temporalUi: { baseUrl: config.TEMPORAL_UI_URL, namespace: config.TEMPORAL_NAMESPACE },
    },
    { log: pino({ level: 'silent' }), version: '0.0.0', trustProxy: [], handlerTimeoutMs: 30_000 },
  );
  apiUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  await upsertOperator(sql, {
    id: uuidv7(),
    operatorId: operator.operatorId,
    secretSha256: sha256(operator.operatorSecret),
    roles: ['Admin'],
  });
  await gateway.startWorker();
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  await apiSql.end({ timeout: 5 });
  await gateway.stop();
});

test('an offer goes from a vendor’s token through a reviewer’s decision to a signed webhook', async () => {
  const lines: string[] = [];
  const result = await runDemo({
    apiUrl,
    operator,
    receiver,
    receiverUrl: `${receiverOrigin}/hook`,
    print: (line) => lines.push(line),
    run: 'e2e',
  });

  expect(result.offerWorkflowUrl).toMatch(
    /\/namespaces\/default\/workflows\/offer-review%2F[\da-f-]{36}$/,
  );
  expect(result.deliveryWorkflowUrl).toMatch(/\/workflows\/webhook-delivery%2F[\da-f-]{36}$/);
  expect(result.retriedDeliveryUrl).toMatch(/\/workflows\/webhook-delivery%2F[\da-f-]{36}$/);
  expect(result.retriedDeliveryUrl).not.toBe(result.deliveryWorkflowUrl);
  expect(lines.join('\n')).toContain('signature verified');
  // What the demo prints may be pasted into a ticket.
  expect(lines.join('\n')).not.toMatch(/whsec_|vs_[\w-]{20}|eyJ/);
});
