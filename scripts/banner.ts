import type { Running } from './running.ts';

const FIRST_OFFER = {
  rawBrandName: 'Maison Dahab',
  rawProductName: 'Oud 50',
  cost: 100,
  costIsVatInclusive: false,
  vendorExternalId: 'first-offer',
};

/** Two commands that work when pasted into a shell, without jq: a token, then an offer. */
function firstCalls({ apiUrl, vendor }: Pick<Running, 'apiUrl' | 'vendor'>): string[] {
  const credential = JSON.stringify({
    clientId: vendor.clientId,
    clientSecret: vendor.clientSecret,
  });
  return [
    `TOKEN=$(curl -s ${apiUrl}/api/v1/auth/token -H 'content-type: application/json' \\`,
    `  -d '${credential}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`,
    `curl -s ${apiUrl}/api/v1/scent/offers -H "authorization: Bearer $TOKEN" \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(FIRST_OFFER)}'`,
  ];
}

/** What a person sees when the gateway is up: where things are, who one is, and what to try first. */
export function banner(running: Omit<Running, 'pid' | 'startTime'>, seconds: number): string {
  const { apiUrl, temporalUiUrl, vendor, operator } = running;
  return [
    '',
    `Vendor Gateway is ready (${seconds.toFixed(1)} s).`,
    '',
    `  API             ${apiUrl}`,
    `  API reference   ${apiUrl}/docs`,
    `  Temporal UI     ${temporalUiUrl}`,
    '',
    `  Demo vendor     ${vendor.name} (${vendor.id})`,
    `    clientId      ${vendor.clientId}`,
    `    clientSecret  ${vendor.clientSecret}`,
    `  Operator        ${operator.operatorId}`,
    `    secret        ${operator.operatorSecret}`,
    '',
    'A first offer, to paste into another terminal:',
    '',
    ...firstCalls(running),
    '',
    'npm run demo plays the whole story; Ctrl-C stops everything.',
  ].join('\n');
}
