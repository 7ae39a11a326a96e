import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that need neither Postgres nor Temporal. A test that asks for a server fails here. */
const unit = [
  'test/docs.test.ts',
  'test/process/{config,logging}.test.ts',
  'test/api/auth/{key-rotation,key-source,limit-by-address,tokens}.test.ts',
  'test/api/commands/{canonical-json,idempotency-key}.test.ts',
  'test/api/error-codes/catalogue.test.ts',
  'test/api/http/quotas/call-quota.test.ts',
  'test/api/{accounts,jobs,offers,orders,returns,webhooks}/**/*-body.test.ts',
  'test/api/jobs/{csv,json}-items.test.ts',
  'test/api/socket/turns.test.ts',
  'test/api/validation/{fields,instant,query}.test.ts',
  'test/activities/time-limit.test.ts',
  'test/bench/{goals,growth-verdict}.test.ts',
  'test/console/html.test.ts',
  'test/deliveries/{host-slots,queue-slots,queue-walk}.test.ts',
  'test/domain/**/*.test.ts',
  'test/guardrail/**/*.test.ts',
  'test/security/*.test.ts',
  'test/temporal/{duration-text,with-timeout}.test.ts',
  'test/relay/{coalesce-messages,parse-message,run-budget}.test.ts',
  'test/workflows/lib/**/*.test.ts',
];

/**
 * Tests of whole processes, of malformed requests and of loads. `npm run test:systems` runs them.
 */
const systems = ['test/systems/**/*.test.ts'];
/** Their bounds of seconds hold only without other tests at the same time. */
const timed = [
  'test/systems/loads/long-job.test.ts',
  'test/systems/faults/drills.test.ts',
  'test/systems/costs/costs.test.ts',
];
/**
 * They run 20 rounds in `npm test`, and `RACE_ROUNDS` of them in `npm run test:systems`. With
 * `SKIP_RACES`, `npm test` leaves them out.
 */
const races = [
  'test/api/{offers,returns,webhooks}/races/*.test.ts',
  'test/api/accounts/credentials/vendor-credential-races.test.ts',
  'test/db/lists/change-times.test.ts',
  'test/workflows/return-inspection/return-inspection-instant.test.ts',
  'test/db/webhooks/{cancel-deliveries,redelivery}.test.ts',
  'test/db/webhooks/attempts/{begin,record}-attempts.test.ts',
];
/** Whether a file takes a minute or more, although it is small. Such files begin first. */
const isLong = ({ moduleId }: TestSpecification): boolean =>
  /\/(every-page|guides|job-kill|starved-worker)\.test\.ts$/.test(moduleId);

/** Vitest runs the longest files first, by their last durations; without these, the largest. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const integration = {
  globalSetup: ['test/global-setup.ts'],
  setupFiles: [
    'test/support/vitest/end-with-vitest.ts',
    'test/support/vitest/check-clock-of-ids.ts',
  ],
};

export default defineConfig({
  // `npm ci` leaves the last durations here.
  cacheDir: '.cache/vite',
  // The command line imports the client, whose package is not built here.
  resolve: {
    alias: {
      'vendor-gateway-client/webhooks': `${import.meta.dirname}/clients/typescript/src/webhooks`,
      'vendor-gateway-client': `${import.meta.dirname}/clients/typescript/src`,
    },
  },
  test: {
    // Four processes: many tests wait for timers, and two processes leave 40 % of two cores idle.
    // Each imports a module once for all its files, so a file leaves no global state behind: it
    // restores what it changes (timers, environment, built-in modules).
    pool: 'forks',
    maxWorkers: 4,
    maxConcurrency: 6,
    sequence: { sequencer: LongFirst },
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Keeps compiled modules on disk: a project or a later run compiles only what has changed.
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: unit,
          setupFiles: ['test/support/vitest/check-clock-of-ids.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: [
            ...configDefaults.exclude,
            ...unit,
            ...systems,
            ...(process.env['SKIP_RACES'] === undefined ? [] : races),
          ],
          ...integration,
        },
      },
      {
        extends: true,
        test: {
          name: 'systems',
          include: process.env['RACE_ROUNDS'] === undefined ? systems : [...systems, ...races],
          exclude: [...configDefaults.exclude, ...timed],
          // They start whole processes, and races run five times as many rounds.
          testTimeout: 180_000,
          sequence: { groupOrder: 1 },
          ...integration,
        },
      },
      {
        extends: true,
        test: {
          name: 'timed',
          include: timed,
          // After all other projects, one file after the other.
          sequence: { groupOrder: 2 },
          maxWorkers: 1,
          ...integration,
        },
      },
    ],
  },
});
