import type { ReturnRequest } from 'vendor-gateway-client';
import type { CommonArguments, Context } from '../core/command.ts';
import { exitCodes, type ExitCode } from '../core/exit.ts';
import { tableOf } from '../core/output.ts';

const hourMs = 3_600_000;

type OpenWindow = { readonly request: ReturnRequest; readonly deadline: string };

function rowOf({ request, deadline }: OpenWindow): readonly (string | number)[] {
  const { id, orderGlobalId, inspection } = request;
  const hours = Math.floor((Date.parse(deadline) - Date.now()) / hourMs);
  const left = hours < 1 ? 'under 1 h' : `${hours} h`;
  const proposal = inspection.supplierProposedOutcome ?? 'none';
  return [deadline, left, id, orderGlobalId, proposal, inspection.evidence.length];
}

/** `returns upcoming`: the open inspections, the nearest deadline first. */
export async function listUpcomingReturns(
  _: CommonArguments,
  { output, signal, connect }: Context,
): Promise<ExitCode> {
  const { client } = await connect();
  const open: OpenWindow[] = [];
  for await (const request of client.returns.list({ status: 'UnderInspection' }, { signal })) {
    const { inspectionWindowDeadline: deadline } = request.inspection;
    if (deadline !== null && Date.parse(deadline) > Date.now()) open.push({ request, deadline });
  }
  open.sort((a, b) => Date.parse(a.deadline) - Date.parse(b.deadline));
  const header = ['DEADLINE', 'LEFT', 'RETURN', 'ORDER', 'PROPOSAL', 'EVIDENCE'];
  if (output.isJson) for (const { request } of open) output.result(request, null);
  else if (open.length === 0) output.note('No inspection is open.');
  else output.result({}, tableOf(header, open.map(rowOf)));
  return exitCodes.ok;
}
