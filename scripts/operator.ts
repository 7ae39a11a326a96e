import { parseArgs } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { loadConfigOrExit } from '../config.ts';
import { connect } from '../db/core/client.ts';
import { findOperator, upsertOperator } from '../db/accounts/operators.ts';
import { operatorRoles, type OperatorRole } from '../domain/accounts/operator-roles.ts';
import { newSecret, sha256 } from '../security/secrets.ts';
import { readRuntimeInfo } from '../embedded/state/runtime-info.ts';

/** `npm run operator -- create NAME [--role ROLE]…`: creates an operator and prints its secret once. */

const usage = `npm run operator -- create NAME [--role ${operatorRoles.join('|')}]… (default: Admin)`;

/** Whether the login accepts the name: not blank, at most 255 characters. */
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
  const isValid = command === 'create' && name !== undefined && rest.length === 0 && isName(name);
  return isValid && roles.length === new Set(values.role).size ? { name, roles } : null;
}

const request = readArguments();
const config = loadConfigOrExit();
const databaseUrl =
  config.DATABASE_URL ?? (await readRuntimeInfo(config.GATEWAY_HOME))?.databaseUrl;
if (request === null || databaseUrl === undefined) {
  console.error(
    request === null
      ? usage
      : 'No database: set DATABASE_URL, or start a gateway with `npm start` first.',
  );
  process.exit(1);
}
const sql = connect(databaseUrl, { max: 1, name: 'vendor-gateway operator' });
try {
  if ((await findOperator(sql, request.name)) === null) {
    const operatorSecret = newSecret('os');
    await upsertOperator(sql, {
      id: uuidv7(),
      operatorId: request.name,
      secretSha256: sha256(operatorSecret),
      roles: request.roles,
    });
    console.log(`operatorId      ${request.name}`);
    console.log(`operatorSecret  ${operatorSecret}`);
    console.log(`roles           ${request.roles.join(', ')}`);
  } else {
    console.error(`The operator ${request.name} exists already.`);
    process.exitCode = 1;
  }
} finally {
  await sql.end({ timeout: 5 });
}
