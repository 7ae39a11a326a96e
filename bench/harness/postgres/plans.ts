import * as v from 'valibot';
import type { Pool } from '../../../db/core/client.ts';
import { figure } from '../table.ts';
import type { Statement } from './statements.ts';

/** What a plan reads, and how much of it. */
export type PlanSummary = {
  /** How each table is reached, and everything that is sorted. */
  readonly steps: string;
  /** Pages of 8 KiB read from memory or disk. */
  readonly buffers: number;
};

type Mode = 'force_custom_plan' | 'force_generic_plan';

const ownFields = v.object({
  'Node Type': v.string(),
  'Relation Name': v.optional(v.string()),
  'Index Name': v.optional(v.string()),
  'Actual Rows': v.optional(v.number()),
  'Actual Loops': v.optional(v.number()),
  'Rows Removed by Filter': v.optional(v.number()),
  'Shared Hit Blocks': v.optional(v.number()),
  'Shared Read Blocks': v.optional(v.number()),
});
type PlanNode = v.InferOutput<typeof ownFields> & { readonly Plans?: PlanNode[] | undefined };

const planNode: v.GenericSchema<unknown, PlanNode> = v.object({
  ...ownFields.entries,
  Plans: v.optional(v.array(v.lazy(() => planNode))),
});
const explained = v.tuple([v.object({ 'QUERY PLAN': v.tuple([v.object({ Plan: planNode })]) })]);
const lines = v.array(v.object({ 'QUERY PLAN': v.string() }));

/**
 * Runs a statement by a plan for its values, or by the one for any values, and sums up what the
 * plan did.
 */
export async function summarizePlan(
  sql: Pool,
  statement: Statement,
  mode: Mode,
): Promise<PlanSummary> {
  const [row] = v.parse(explained, await explain(sql, statement, mode, 'format json'));
  const [{ Plan: plan }] = row['QUERY PLAN'];
  const buffers = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  return { steps: stepsOf(plan).join(', '), buffers };
}

/** Both plans of a statement, as Postgres prints them. */
export async function planText(sql: Pool, statement: Statement): Promise<string> {
  const text = async (mode: Mode): Promise<string> =>
    v
      .parse(lines, await explain(sql, statement, mode, 'format text'))
      .map((line) => `    ${line['QUERY PLAN']}`)
      .join('\n');
  const [custom, generic] = [await text('force_custom_plan'), await text('force_generic_plan')];
  const query = statement.text.replaceAll(/\s+/g, ' ').trim();
  return `  ${query}\n  for these values:\n${custom}\n  for any values:\n${generic}`;
}

/** In a transaction that is rolled back, since `analyze` runs the statement. */
async function explain(
  sql: Pool,
  { text, parameters, settings }: Statement,
  mode: Mode,
  format: string,
): Promise<unknown> {
  const connection = await sql.reserve();
  try {
    await connection`begin`;
    for (const setting of settings) await connection.unsafe(setting);
    await connection.unsafe(`set local plan_cache_mode = ${mode}`);
    await connection.unsafe(`prepare explained as ${text}`);
    const values = parameters.length === 0 ? '' : `(${parameters.map(literal).join(', ')})`;
    const rows = await connection.unsafe(
      `explain (analyze, buffers, ${format}) execute explained${values}`,
    );
    // By name: the library goes on with the statements that it has prepared here itself.
    await connection`deallocate explained`;
    return [...rows];
  } finally {
    await connection`rollback`;
    connection.release();
  }
}

/** A value as SQL text; Postgres gives it the parameter's type. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return `'${String(value)}'`;
  if (value instanceof Date) return `'${value.toISOString()}'`;
  if (Array.isArray(value))
    return quoted(`{${value.map((item) => JSON.stringify(item)).join(',')}}`);
  if (typeof value === 'string') return quoted(value);
  // What sql.json made: the value itself is within.
  if (typeof value === 'object' && 'value' in value) return quoted(JSON.stringify(value.value));
  throw new Error(`no literal for a ${typeof value}`);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function stepsOf(node: PlanNode): string[] {
  return [...stepOf(node), ...(node.Plans ?? []).flatMap(stepsOf)];
}

/**
 * Nodes that reach a table, and those that take a whole set in hand. There are few vendors: how
 * they are read is no matter.
 */
function stepOf(node: PlanNode): string[] {
  if (node['Relation Name'] === 'vendors') return [];
  const { 'Node Type': type, 'Relation Name': relation, 'Index Name': index } = node;
  const removed = inAll(node, node['Rows Removed by Filter']);
  const filtered = removed > 0 ? ` (${figure(removed)} rows read for nothing)` : '';
  if (index !== undefined)
    return [`${index}${type === 'Index Only Scan' ? ' (index only)' : ''}${filtered}`];
  if (relation !== undefined) return [`${type} of ${relation}${filtered}`];
  const [sorted] = node.Plans ?? [];
  if (!/Sort/.test(type) || sorted === undefined) return [];
  return [`${type} of ${figure(inAll(sorted, sorted['Actual Rows']))} rows`];
}

/**
 * Postgres tells the average of a node's loops: of parallel workers, or of the rows that it is
 * asked for.
 */
const inAll = ({ 'Actual Loops': loops = 1 }: PlanNode, average = 0): number =>
  Math.round(average * loops);
