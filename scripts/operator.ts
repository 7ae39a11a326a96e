import { parseArgs } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { loadConfigOrExit } from '../config.ts';
import { connect } from '../db/core/client.ts';
import { findOperator, upsertOperator } from '../db/accounts/operators.ts';
import { operatorRoles, type OperatorRole } from '../domain/accounts/operator-roles.ts';
import { newSecret, sha256 } from '../security/secrets.ts';
import { readRunning } from './running.ts';

/** `npm run operator -- create NAME [--role ROLE]…`: makes an operator and prints its secret, this one time. */

const usage = `npm run operator -- create NAME [--role ${operatorRoles.join('|')}]… (default: Admin)`;

/** What the log-in takes: not blank, at most 255 characters. */
const isName = (name: string): boolean => name.trim() !== '' && Array.from(name).length <= 255;

function readArguments(): {
  readonly name: string;
  readonly roles: readonly OperatorRole[];
} | null {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { role: { type: 'string', multiple: true, default: ['Admin'] } },
  });
  const [command, name, ...rest] = positionals;
  const roles = operatorRoles.filter((role) => values.role.includes(role));
  const isUnderstood =
    command === 'create' && name !== undefined && rest.length === 0 && isName(name);
  return isUnderstood && roles.length === new Set(values.role).size ? { name, roles } : null;
}

const wish = readArguments();
const config = loadConfigOrExit();
const databaseUrl = config.DATABASE_URL ?? (await readRunning(config.GATEWAY_HOME))?.databaseUrl;
if (wish === null || databaseUrl === undefined) {
  console.error(
    wish === null
      ? usage
      : 'No database: set DATABASE_URL, or start a gateway with `npm start` first.',
  );
  process.exit(1);
}
const sql = connect(databaseUrl, { max: 1, name: 'vendor-gateway operator' });
try {
  if ((await findOperator(sql, wish.name)) === null) {
    const operatorSecret = newSecret('os');
    await upsertOperator(sql, {
      id: uuidv7(),
      operatorId: wish.name,
      secretSha256: sha256(operatorSecret),
      roles: wish.roles,
    });
    console.log(`operatorId      ${wish.name}`);
    console.log(`operatorSecret  ${operatorSecret}`);
    console.log(`roles           ${wish.roles.join(', ')}`);
  } else {
    console.error(`There is an operator ${wish.name} already.`);
    process.exitCode = 1;
  }
} finally {
  await sql.end({ timeout: 5 });
}
