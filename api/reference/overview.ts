/** The head of the reference page, in Markdown. */
export const overview = [
  'The gateway through which vendors, the suppliers of a marketplace, work with the service, machine to machine: submit',
  'offers, push prices and stock, sync and ship orders, handle returns, and have webhooks sent. What a vendor declares goes',
  'live when a reviewer approves it; stock alone applies at once. Routes under `/operator/v1` are for the service’s own people.',
  '',
  'Guides with whole examples: [authentication](/docs/authentication), [offers](/docs/offers), [shipments](/docs/shipments),',
  '[returns](/docs/returns), [webhooks](/docs/webhooks). Every error code: [errors](/docs/errors). This page as an OpenAPI',
  'document, for client generators and test tools: [openapi.json](/openapi.json).',
  '',
  '## Address and token',
  '',
  'Every path is relative to the address of this page. Bodies and answers are JSON in UTF-8 (`application/json`).',
  '',
  '```sh',
  'TOKEN=$(curl -s $API/api/v1/auth/token --json \\',
  '  \'{"clientId": "vc_…", "clientSecret": "vs_…"}\' |',
  '  jq -r .payload.accessToken)',
  'curl -s $API/api/v1/scent/offers \\',
  '  -H "authorization: Bearer $TOKEN"',
  '```',
  '',
  'A token is good for 300 seconds; keep it, and fetch the next one 30 seconds before it ends. On a 401 fetch one anew, once.',
  '`UPSTREAM_AUTH_FAILED` alone is not about your token: retry later. What a token may do is fixed by its credential’s',
  'capabilities; a missing one is 403, with `details.requiredCapability`.',
  '',
  '## Answers',
  '',
  'Every answer is `{"state", "payload", "details"}`. `state` is `SUCCESS` or an error’s code, `payload` is null on every error, and',
  '`details` is `{}` when there is nothing to say. Fields may be added within v1: read past those that you do not know.',
  '',
  'A list’s payload is `{"items", "pagination"}`. `page` counts from 1, `pageSize` is 1 to 100, 20 if left out. To follow the changes of',
  'shipments and returns, send the `details.nextChangedSince` of the answer before as `changedSince`: nothing is missed, and what is',
  'unchanged may repeat.',
  '',
  '## Requests',
  '',
  '- **Strict.** Nothing is coerced: `"5"` is no number. Unknown fields and parameters are refused by name. In a body null says as much',
  '  as leaving a field out.',
  '- **Money** is in SAR with at most two decimals, and never rounded silently. An amount comes with its flag, `…IsVatInclusive`, which has no',
  '  default: false is net, true is gross, with 15 % VAT in it. Answers are net, so that an amount can be sent back as it came and changes nothing.',
  '- **Ids** are uuids, taken in any letter case and answered in lower case. What is not yours is 404, as if it did not exist.',
  '- **Dates** are RFC 3339 with a time and an offset or `Z`, answered in UTC.',
  '- **Repeating.** A create-offer with the same `vendorExternalId` answers the offer that there is. PATCH and PUT can be repeated, and so can pushes:',
  '  the same state again changes nothing. A move from one status to another is refused when it was made already. Other POSTs make something anew each time.',
  '',
  '## Limits',
  '',
  'Unless this gateway is configured otherwise, a credential has 600 calls a minute, and 1,200 stock and price pushes besides; a `clientId` 10 token calls in any 60',
  'seconds. `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` tell how many are left, and 429 comes with `Retry-After`, in whole seconds.',
  'A body has at most 1 MiB. At most five webhook subscriptions are active.',
  '',
  '## Errors',
  '',
  'Decide by `state`, and by the HTTP status where the code is new to you; [errors](/docs/errors) says of each code when it comes and what to do. The first',
  'objection is the answer: route, token, capability, rate, media type, body and query, resource, state and business rules. Of a body',
  'every failing field is named. 429 and 503 say when to come back; 502 and 504 are for a retry with back-off.',
  '',
  'Every answer carries `X-Request-Id`: yours, if you sent a sane one, else a new one. Quote it when you ask about a call.',
  '',
  '## Versions',
  '',
  'The version is in the path, `/api/v1`. Within it changes only add. A route that is to be retired answers with `Deprecation` and `Sunset`',
  'headers for twelve months first; none is.',
].join('\n');

type Tag = { readonly name: string; readonly description: string };

const vendorTags: readonly Tag[] = [
  { name: 'Token', description: 'A credential for a token, with which every other call is made.' },
  {
    name: 'Offers',
    description:
      'Submit, update and withdraw offers, push cost, sale price and stock, and read how they stand. [Guide](/docs/offers).',
  },
  {
    name: 'Shipments',
    description: 'The orders that you are to ship: sync, pack, ship. [Guide](/docs/shipments).',
  },
  {
    name: 'Returns',
    description:
      'What comes back to you: receipt, evidence, your proposal. [Guide](/docs/returns).',
  },
  {
    name: 'Webhooks',
    description:
      'Receivers of events, their secrets, what was delivered to them, samples and redelivery. [Guide](/docs/webhooks).',
  },
  { name: 'Credentials', description: 'Your credentials: list, generate, switch, delete.' },
  { name: 'Vendor profile', description: 'Your name, contact address and pricing model.' },
];

const operatorTags: readonly Tag[] = [
  { name: 'Operator: token', description: 'An operator’s secret for a token.' },
  { name: 'Operator: vendors', description: 'Vendors, their agreements and credentials.' },
  { name: 'Operator: catalog', description: 'The variants to which offers are matched.' },
  {
    name: 'Operator: offers',
    description: 'The review queue, decisions, staged prices, and offers entered by hand.',
  },
  { name: 'Operator: orders', description: 'Orders as they come in, and their groups on the way.' },
  {
    name: 'Operator: returns',
    description: 'Return requests, from the customer’s wish to their end.',
  },
  {
    name: 'Operator: webhooks',
    description: 'Deliveries and subscriptions of every vendor, and recovery of what was given up.',
  },
  { name: 'Operator: audit', description: 'Who did what, when, before and after.' },
];

/** The groups of routes, in the order of the page. */
export const tags: readonly Tag[] = [...vendorTags, ...operatorTags];

/** The page's two sides. */
export const tagGroups = [
  { name: 'Vendor', tags: vendorTags.map(({ name }) => name) },
  { name: 'Operator', tags: operatorTags.map(({ name }) => name) },
] as const;
