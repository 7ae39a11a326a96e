import { expect, payloadOf, type Print } from './caller.ts';
import { history, type StatusChange } from './forms.ts';
import type { Stage } from './stage.ts';

/** The vendor reads what became of an offer: each status it had, and every reason it was given. */
export async function readHistory(
  { asVendor, print, step }: Stage,
  offerId: string,
  statuses: readonly string[],
): Promise<void> {
  step('The vendor reads the history of the offer');
  const answer = await asVendor('GET', `/api/v1/scent/offers/${offerId}?include=history`);
  const { history: changes } = payloadOf(answer, 200, history);
  printChanges(changes, print);
  const came = changes.map(({ to }) => to).join(' → ');
  expect(came === statuses.join(' → '), `it came by ${statuses.join(' → ')}`);
  const isChain = changes.every(({ from }, index) => from === (changes[index - 1]?.to ?? null));
  expect(isChain, 'each change goes on where the one before ended');
}

function printChanges(changes: readonly StatusChange[], print: Print): void {
  const rows = changes.map(({ at, from, to, reason }) => [
    at.slice(11, 23),
    from ?? '-',
    to,
    reason ?? '',
  ]);
  for (const [at = '', from = '', to = '', reason = ''] of [
    ['at', 'from', 'to', 'reason'],
    ...rows,
  ]) {
    print(`      ${at.padEnd(14)}${from.padEnd(18)}${to.padEnd(18)}${reason}`.trimEnd());
  }
}
