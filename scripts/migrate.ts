import { loadConfigOrExit } from '../process/config.ts';
import { connect } from '../db/core/client.ts';
import { migrate } from '../db/core/migrate.ts';
import { findNewerDatabase } from '../db/core/installation.ts';
import { configuredOperator, ensureAdmin } from '../embedded/state/demo-credentials.ts';
import { readCommandLine } from './command-line.ts';
import { newerText } from './require-gateway.ts';

/** `npm run migrate`: migrates the database. */

const usage = `npm run migrate

Migrates the database of MIGRATION_DATABASE_URL, or DATABASE_URL, to the newest schema, and creates
the operator of OPERATOR_ID if it is set.`;

readCommandLine(usage, {});
const config = loadConfigOrExit();
const ownerUrl = config.MIGRATION_DATABASE_URL ?? loadConfigOrExit(['DATABASE_URL']).DATABASE_URL;
try {
  await migrate(
    ownerUrl,
    (line) => {
      console.log(line);
    },
    config.GATEWAY_ENVIRONMENT,
  );
} catch (error) {
  console.error(
    'The schema could not be brought up to date: ' +
      (error instanceof Error ? error.message : 'unknown'),
  );
  process.exit(1);
}
console.log('The schema is up to date.');

const operator = configuredOperator(config);
if (operator !== null) {
  const sql = connect(ownerUrl, { max: 1, name: 'vendor-gateway migrate' });
  try {
    const newer = await findNewerDatabase(sql);
    if (newer === null) await ensureAdmin(sql, operator);
    console.log(
      newer === null
        ? `The operator ${operator.operatorId} exists.`
        : `The operator ${operator.operatorId} is left as it is: ${newerText(newer)}.`,
    );
  } finally {
    await sql.end({ timeout: 5 });
  }
}
