import { loadConfigOrExit } from '../config.ts';
import { connect } from '../db/client.ts';
import { migrate } from '../db/migrate.ts';
import { configuredOperator, ensureAdmin } from './bootstrap.ts';

/** `npm run migrate`: brings DATABASE_URL to the newest schema, and makes the operator of OPERATOR_ID if that is set. */
const config = loadConfigOrExit(['DATABASE_URL']);
const { DATABASE_URL } = config;
await migrate(DATABASE_URL, (line) => {
  console.log(line);
});
console.log('The schema is up to date.');

const operator = configuredOperator(config);
if (operator !== null) {
  const sql = connect(DATABASE_URL, { max: 1, name: 'vendor-gateway migrate' });
  try {
    await ensureAdmin(sql, operator);
    console.log(`The operator ${operator.operatorId} is there.`);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
