import { randomUUID } from 'node:crypto';
import { loadConfigOrExit } from '../process/config.ts';
import { connect, type Sql } from '../db/core/client.ts';
import {
  createOperator,
  rotateOperatorSecret,
  switchOperator,
  type OperatorWithSecret,
} from '../api/operator/operator-changes.ts';
import { overridesDirection } from '../domain/texts/invisible.ts';
import { typedForm } from '../domain/texts/typed-text.ts';
import { findOperator, listOperators } from '../db/accounts/operators.ts';
import { onSnapshot } from '../db/core/transaction.ts';
import { pageSizeMax } from '../db/lists/page.ts';
import { operatorRoles, type OperatorRole } from '../domain/accounts/operator-roles.ts';
import { errorCatalogue, type Result } from '../domain/errors.ts';
import { exitWithUsage, readCommandLine, Refusal, runCommand } from './command-line.ts';
import { findDatabaseUrl, requireOwnVersion } from './require-gateway.ts';

/** `npm run operator -- create|deactivate|rotate|list`: manages operators on the server. */

const usage = `npm run operator -- create NAME [--role ${operatorRoles.join('|')}]… (default: Admin)
npm run operator -- deactivate NAME
npm run operator -- rotate NAME
npm run operator -- list`;

/** Whether the login accepts the name: not blank, at most 255 characters. */
const isName = (name: string): boolean =>
  typedForm(name) !== '' && !overridesDirection(name) && Array.from(name).length <= 255;

type Command =
  | { readonly kind: 'create'; readonly name: string; readonly roles: readonly OperatorRole[] }
  | { readonly kind: 'deactivate' | 'rotate'; readonly name: string }
  | { readonly kind: 'list' };

/** Null when the arguments are invalid. */
function readArguments(): Command | null {
  const { positionals, values } = readCommandLine(usage, {
    allowPositionals: true,
    options: { role: { type: 'string', multiple: true } },
  });
  const [kind, name, ...rest] = positionals;
  const { role } = values;
  if (kind === 'list') return name === undefined && role === undefined ? { kind } : null;
  if (name === undefined || rest.length > 0 || !isName(name)) return null;
  if (kind === 'create') {
    const given = role ?? ['Admin'];
    const roles = operatorRoles.filter((each) => given.includes(each));
    return roles.length === new Set(given).size ? { kind, name, roles } : null;
  }
  return (kind === 'deactivate' || kind === 'rotate') && role === undefined ? { kind, name } : null;
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Refusal(errorCatalogue[result.failure.code].meaning);
  return result.value;
}

const printed = ({ operatorId, operatorSecret, roles }: OperatorWithSecret): string =>
  `operatorId      ${operatorId}\n` +
  `operatorSecret  ${operatorSecret}\n` +
  `roles           ${roles.join(', ')}`;

async function listAll(sql: Sql): Promise<string> {
  const lines: string[] = [];
  return onSnapshot(sql, async (snapshot) => {
    for (let page = 1; ; page += 1) {
      const { items, totalCount } = await listOperators(snapshot, { page, pageSize: pageSizeMax });
      for (const { operatorId, roles, isActive, createdAt } of items) {
        const state = isActive ? 'active' : 'inactive';
        lines.push([createdAt.toISOString(), state, roles.join(','), operatorId].join('  '));
      }
      if (page * pageSizeMax >= totalCount) return lines.join('\n');
    }
  });
}

/** Returns what the command prints. Throws {@link Refusal}. */
async function run(sql: Sql, command: Command): Promise<string> {
  if (command.kind === 'list') return listAll(sql);
  await requireOwnVersion(sql, 'npm run operator');
  const { name } = command;
  const change = {
    actor: { operatorId: null, credentialId: null, isCommand: true },
    requestId: `command-${randomUUID()}`,
  } as const;
  return sql.begin(async (transaction) => {
    if (command.kind === 'create') {
      const given = { operatorId: name, roles: command.roles };
      const created = await createOperator(transaction, change, given);
      if (created === null)
        throw new Refusal(
          `The operator ${name}, or one whose name looks the same, exists already.`,
        );
      return printed(created);
    }
    const operator = await findOperator(transaction, name);
    if (operator === null) throw new Refusal(`There is no operator ${name}.`);
    const { id } = operator;
    if (command.kind === 'rotate')
      return printed(unwrap(await rotateOperatorSecret(transaction, change, id)));
    unwrap(await switchOperator(transaction, change, { id, isActive: false }));
    return `The operator ${name} is inactive; its tokens are refused.`;
  });
}

const command = readArguments() ?? exitWithUsage(usage);
const config = loadConfigOrExit();
await runCommand(async () => {
  const databaseUrl = await findDatabaseUrl(config);
  if (databaseUrl === null)
    throw new Refusal('No database: set DATABASE_URL, or start a gateway with `npm start` first.');
  const sql = connect(databaseUrl, { max: 1, name: 'vendor-gateway operator' });
  try {
    console.log(await run(sql, command));
  } finally {
    await sql.end({ timeout: 5 });
  }
});
