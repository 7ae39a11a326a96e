import type { Pool } from '../../../db/core/client.ts';

type PlanNode = Readonly<Record<string, unknown>> & { readonly Plans?: readonly PlanNode[] };

/** The plan of the last statement that a read sends. */
export async function planOf(sql: Pool, read: () => Promise<unknown>): Promise<PlanNode> {
  const sent: { text: string; parameters: readonly unknown[] }[] = [];
  const debug = (_connection: number, text: string, parameters: readonly unknown[]) => {
    sent.push({ text, parameters: [...parameters] });
  };
  Object.assign(sql.options, { debug });
  await read();
  Object.assign(sql.options, { debug: false });
  const { text, parameters } = sent.findLast((each) => each.text.trim() !== 'commit') ?? {
    text: '',
    parameters: [],
  };
  const [{ 'QUERY PLAN': plans }] = await sql.unsafe<[{ 'QUERY PLAN': [{ Plan: PlanNode }] }]>(
    `explain (analyze, format json) ${text}`,
    [...parameters] as never[],
  );
  return plans[0].Plan;
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(nodesOf),
];

/** The rows that a plan reads from each index. */
export function indexesOf(plan: PlanNode): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  for (const node of nodesOf(plan)) {
    const name = node['Index Name'];
    if (typeof name !== 'string') continue;
    const read = Number(node['Actual Rows']) * Number(node['Actual Loops']);
    rows.set(name, (rows.get(name) ?? 0) + read);
  }
  return rows;
}

/** The tables that a plan reads whole. */
export const tableScansOf = (plan: PlanNode): readonly string[] =>
  nodesOf(plan)
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => String(node['Relation Name']));
