import type { RuntimeInfo } from './state/runtime-info.ts';

const FIRST_OFFER = {
  rawBrandName: 'Maison Dahab',
  rawProductName: 'Oud 50',
  cost: 100,
  costIsVatInclusive: false,
  vendorExternalId: 'first-offer',
};

/** Instead of a secret with which the operator cannot log in any more: how to get another one. */
const newSecretHint = (operatorId: string): string =>
  `not known: it was rotated, or the operator was deactivated.
                  npm run operator -- rotate ${operatorId}   prints a new secret,
                  npm run operator -- create NAME   creates another operator.`;

/** The calls of a sandbox to paste after the first offer. */
const sandboxCalls = (apiUrl: string): string => `\
Then be the marketplace: approve the offer, order it, and let three days pass.

AUTH="authorization: Bearer $TOKEN"
OFFER=$(curl -s "${apiUrl}/api/v1/scent/offers?pageSize=1" -H "$AUTH" | jq -r '.payload.items[0].id')
curl -s -X POST "${apiUrl}/api/v1/sandbox/offers/$OFFER/approve" -H "$AUTH"
curl -s -X POST ${apiUrl}/api/v1/sandbox/orders -H "$AUTH"
curl -s ${apiUrl}/api/v1/sandbox/clock -H "$AUTH" --json '{"advanceBy": "PT72H"}'

${apiUrl}/docs describes all calls under "Sandbox".

`;

/**
 * What a user reads when the gateway is ready: addresses, credentials and a first call to paste.
 */
export function readyMessage(
  info: Omit<RuntimeInfo, 'pid' | 'startTime'>,
  seconds: number,
): string {
  const { apiUrl, temporalUiUrl, environment, vendor, operator } = info;
  const { clientId, clientSecret } = vendor;
  return `
Vendor Gateway${environment === 'Sandbox' ? ' sandbox' : ''} is ready (${seconds.toFixed(1)} s).

  API             ${apiUrl}
  API reference   ${apiUrl}/docs
  Your first day  ${apiUrl}/docs/${environment === 'Sandbox' ? 'sandbox' : 'first-day'}
  Console         ${apiUrl}/console   for the operator below
  Temporal UI     ${temporalUiUrl}

  Demo vendor     ${vendor.name} (${vendor.id})
    clientId      ${clientId}
    clientSecret  ${clientSecret}
  Operator        ${operator.operatorId}
    secret        ${operator.operatorSecret ?? newSecretHint(operator.operatorId)}

A first offer, to paste into another terminal:

TOKEN=$(curl -s ${apiUrl}/api/v1/auth/token -H 'content-type: application/json' \\
  -d '${JSON.stringify({ clientId, clientSecret })}' \\
  | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')
curl -s ${apiUrl}/api/v1/scent/offers -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify(FIRST_OFFER)}'

${environment === 'Sandbox' ? sandboxCalls(apiUrl) : ''}For the examples of the guides:

API=${apiUrl}
CLIENT_ID=${clientId}
CLIENT_SECRET=${clientSecret}
OPERATOR_ID=${operator.operatorId}
OPERATOR_SECRET=${operator.operatorSecret ?? ''}
VENDOR=${vendor.id}

npm run demo${environment === 'Sandbox' ? ' -- --sandbox' : ''} runs every part of the gateway once; Ctrl-C stops everything.`;
}
