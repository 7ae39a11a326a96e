import type { Argv } from 'yargs';
import type { ReturnFilters, ReturnRequest } from 'vendor-gateway-client';
import { limitOption, listing } from '../core/calling.ts';
import type { CommonArguments, Context, Run } from '../core/command.ts';
import { vendorTime } from '../core/sandbox-clock.ts';
import { tableOf } from '../core/output.ts';

const hourMs = 3_600_000;

type OpenWindow = { readonly request: ReturnRequest; readonly deadline: string };

function rowOf({ request, deadline }: OpenWindow, now: number): readonly (string | number)[] {
  const { id, orderGlobalId, inspection } = request;
  const hours = Math.floor((Date.parse(deadline) - now) / hourMs);
  const left = hours < 1 ? 'under 1 h' : `${hours} h`;
  const proposal = inspection.supplierProposedOutcome ?? 'none';
  return [deadline, left, id, orderGlobalId, proposal, inspection.evidence.length];
}

/** `returns upcoming`: the open inspections, the nearest deadline first. */
export async function listUpcomingReturns(
  _: CommonArguments,
  { output, signal, connect }: Context,
): Promise<void> {
  const { client } = await connect();
  const now = await vendorTime(client, { signal });
  const open: OpenWindow[] = [];
  for await (const request of client.returns.list({ status: 'UnderInspection' }, { signal })) {
    const { inspectionWindowDeadline: deadline } = request.inspection;
    if (deadline !== null && Date.parse(deadline) > now) open.push({ request, deadline });
  }
  open.sort((a, b) => Date.parse(a.deadline) - Date.parse(b.deadline));
  const header = ['DEADLINE', 'LEFT', 'RETURN', 'ORDER', 'PROPOSAL', 'EVIDENCE'];
  if (output.isJson) for (const { request } of open) output.result(request, null);
  else if (open.length === 0) output.note('No inspection is open.');
  else
    output.result(
      {},
      tableOf(
        header,
        open.map((window) => rowOf(window, now)),
      ),
    );
}

const statuses = [
  'Pending',
  'Approved',
  'InTransit',
  'Received',
  'UnderInspection',
  'InspectionAccepted',
  'InspectionRejected',
  'RefundReleased',
  'Closed',
  'Rejected',
  'Withdrawn',
] as const satisfies readonly ReturnFilters['status'][];

/** `returns list`. */
export const addReturnList = (returns: Argv<CommonArguments>, run: Run): Argv<CommonArguments> =>
  returns.command(
    'list',
    'List returns, the newest first',
    (command) =>
      command
        .option('status', { choices: statuses, describe: 'Only returns in this status' })
        .option('limit', limitOption)
        .example('$0 returns list --status InTransit', 'What is on its way to you'),
    run(
      listing(
        (client, { status }, options) =>
          client.returns.list(status === undefined ? {} : { status }, options),
        {
          header: ['RETURN', 'NUMBER', 'ORDER', 'STATUS', 'REQUESTED'],
          rowOf: ({ id, returnRequestNumber, orderGlobalId, status, requestedAt }) => [
            id,
            returnRequestNumber,
            orderGlobalId,
            status,
            requestedAt,
          ],
          none: 'There are no such returns.',
        },
      ),
      'reads',
    ),
  );
